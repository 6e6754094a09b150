//! After how many passes exchanged names are back.

/// After how many times every name is back, if each time the first of a pair comes to stand for what the second stood for. Names that are
/// in no pair stay. At most `u32::MAX`.
pub fn rounds<T: Copy + PartialEq>(exchanged: &[(T, T)]) -> u32 {
    let step = |name: T| exchanged.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| *to);
    let ring = |first: T| {
        let (mut now, mut rounds) = (step(first), 1_u32);
        while now != first && (rounds as usize) <= exchanged.len() {
            now = step(now);
            rounds += 1;
        }
        rounds
    };
    exchanged.iter().map(|(from, _)| ring(*from)).fold(1, least_common_multiple)
}

fn least_common_multiple(one: u32, other: u32) -> u32 {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a).saturating_mul(other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_are_back_then_and_not_before(names in Just((0..9_usize).collect::<Vec<_>>()).prop_shuffle()) {
            let pairs: Vec<(usize, usize)> = names.iter().copied().enumerate().filter(|(from, to)| from != to).collect();
            let all: Vec<usize> = (0..9).collect();
            let mut now = names.clone();
            let mut made = 1;
            while now != all {
                now = now.iter().map(|name| names[*name]).collect();
                made += 1;
            }
            prop_assert_eq!(rounds(&pairs), made);
        }
    }

    #[test]
    fn nothing_exchanged_is_back_after_once() {
        assert_eq!(rounds::<u32>(&[]), 1);
    }
}
