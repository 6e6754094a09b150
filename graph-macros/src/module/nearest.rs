//! "A similar name exists".

/// The candidate closest to `name`, if it is close enough to be what was meant.
pub(crate) fn of<S: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = S>) -> Option<S> {
    let allowed = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate.as_ref()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn close_names_only() {
        assert_eq!(of("sweeep", ["scale", "sweep"]), Some("sweep"));
        assert_eq!(of("m", ["n", "width"]), Some("n"));
        assert_eq!(of("distance", ["sweep", "norm"]), None);
    }
}
