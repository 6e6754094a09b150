//! A graph beside the code that it replaces.

use graph_runtime::prelude::*;
use graph_runtime::{Compared, Error, Tolerance, Unlike};

cuda_graph! {
    graph Smooth(x: &[f32; n], y: &mut [f32; n], count: &mut [u32; 1], z: &out [f64; m], m: usize) {
        'step: kernel for i in 0..n { y[i] = 0.5 * (y[i] + x[i]); }
        'count: count[0] += 1;
        'big: kernel for i in 0..m { z[i] = 2.0 * x[0] as f64; }
    }

    graph Listed(src: [&[f32]], dst: [&mut [f32]], seen: &mut mailbox [u32; 1]) {
        for i in 0..dst.len() {
            copy(&src[i], &out dst[i]);
        }
        seen[0] += 1;
    }
}

/// Runs `Smooth` beside `old`: what is said, and what lies in `y` then.
fn beside<R>(
    device: &Device,
    old: impl FnOnce(&graph_runtime::OldCode<'_>) -> R,
) -> Result<(Result<Compared>, Vec<f32>)>
where
    R: graph_runtime::IntoOutcome,
{
    let (x, mut y) = (device.buffer_from(&[1.0_f32, 2.0, 3.0])?, device.buffer_from(&[5.0_f32, 6.0, 7.0])?);
    let (mut count, mut z) = (device.buffer_from(&[7_u32])?, device.zeros::<f64>(2)?);
    let mut graph = SmoothArgs { x: &x, y: &mut y, count: &mut count, z: &mut z, m: 2 }.build(device)?;
    let said = graph.compare_with(old);
    Ok((said, graph.y().to_vec()?))
}

fn right(old: &graph_runtime::OldCode<'_>, last: f32) -> Result<()> {
    let (x, y) = (old.slice::<f32>("x")?, old.slice_mut::<f32>("y")?);
    y.iter_mut().zip(x).for_each(|(y, x)| *y = f32::midpoint(*y, *x));
    y[2] += last;
    old.slice_mut::<u32>("count")?[0] += 1;
    old.slice_mut::<f64>("z")?.fill(2.0);
    Ok(())
}

#[test]
fn old_code_that_does_the_same_is_equal() -> Result<()> {
    for device in [Device::cpu(), Device::cpu().shuffled(1), Device::cpu().deferred()] {
        let (said, y) = beside(&device, |old| right(old, 0.0))?;
        assert_eq!((said?, y), (Compared { buffers: 3, elements: 6 }, vec![3.0, 4.0, 5.0]));
    }
    let (said, _) = beside(&Device::cpu(), |old| right(old, 5.0 * f32::EPSILON))?;
    assert_eq!(said?.buffers, 3, "a few units in the last place");
    Ok(())
}

#[test]
fn the_first_difference_is_told_with_both_values() -> Result<()> {
    let (said, y) = beside(&Device::cpu(), |old| right(old, 0.25))?;
    let Err(Error::Unlike(unlike)) = said else { panic!("expected a difference: {said:?}") };
    let (graph, buffer) = ("Smooth".to_owned(), "y".to_owned());
    assert_eq!(*unlike, Unlike { graph, buffer, index: 2, old: "5.25".to_owned(), new: "5".to_owned(), count: 1 });
    assert!(unlike.to_string().starts_with("graph `Smooth` leaves 5 in `y[2]`, the old code 5.25\nhelp: "), "{unlike}");
    assert_eq!(y, [3.0, 4.0, 5.0], "the graph's results stay");
    let (said, _) = beside(&Device::cpu(), |old| right(old, 0.0).and_then(|()| old.slice::<u32>("count").map(drop)))?;
    let told = said.unwrap_err().to_string();
    assert!(
        told.contains(
            "the old code beside graph `Smooth` failed: buffer `count` of graph `Smooth` is given out already"
        ),
        "{told}"
    );
    let (said, _) = beside(&Device::cpu(), |_| ())?;
    let told = said.unwrap_err().to_string();
    assert!(
        told.starts_with("graph `Smooth` leaves 3 in `y[0]`, the old code 5, and 2 more of its elements differ"),
        "{told}"
    );
    Ok(())
}

#[test]
fn what_stops_the_old_code_leaves_the_buffers_as_they_were() -> Result<()> {
    let device = Device::cpu();
    let (said, y) = beside(&device, |old| {
        old.slice_mut::<f32>("y").unwrap()[1] = 9.0;
        panic!("no more");
        #[allow(unreachable_code, reason = "the closure needs a type")]
        Ok::<(), Error>(())
    })?;
    assert_eq!(
        (said.unwrap_err().to_string().as_str(), &y[..]),
        ("the old code beside graph `Smooth` panicked: no more", &[5.0, 6.0, 7.0][..])
    );
    let told = |old: fn(&graph_runtime::OldCode<'_>) -> Result<()>| {
        Ok::<_, Error>(beside(&device, old)?.0.unwrap_err().to_string())
    };
    assert!(
        told(|old| old.slice::<f32>("w").map(drop))?
            .contains("graph `Smooth` has no buffer `w` to compare\nnote: it has `x`, `y`, `count`, `z`")
    );
    assert!(told(|old| old.slice::<f64>("y").map(drop))?.contains("holds `f32`, and is asked for as `f64`"));
    assert!(told(|old| old.slice_mut::<f32>("x").map(drop))?.contains("buffer `x` is only read by graph `Smooth`"));
    assert!(
        told(|old| old.view::<f32>("x").map(drop))?
            .contains("on the CPU, which has no streams\nhelp: ask the old code for `slice`")
    );
    Ok(())
}

#[test]
fn lists_are_compared_one_by_one_and_mailboxes_are_not() -> Result<()> {
    let device = Device::cpu();
    let src = [device.buffer_from(&[1.0_f32])?, device.buffer_from(&[2.0_f32, f32::NAN])?];
    let mut dst = [device.zeros::<f32>(1)?, device.zeros::<f32>(2)?];
    let seen = device.mailbox(&[0_u32])?;
    let mut graph = ListedArgs { src: &src, dst: &mut dst, seen: &seen }.build(&device)?;
    let both = |old: &graph_runtime::OldCode<'_>, off: f32| -> Result<()> {
        old.slice_mut::<f32>("dst[0]")?.copy_from_slice(old.slice("src[0]")?);
        old.slice_mut::<f32>("dst[1]")?.copy_from_slice(&[2.0 + off, f32::NAN]);
        Ok(())
    };
    assert_eq!(graph.compare_with(|old| both(old, 0.0))?, Compared { buffers: 2, elements: 3 });
    let told = graph.compare_with(|old| both(old, 0.5)).unwrap_err().to_string();
    assert!(told.starts_with("graph `Listed` leaves 2 in `dst[1][0]`, the old code 2.5\n"), "{told}");
    let wide = Tolerance { relative: 0.5, absolute: 0.0 };
    assert_eq!(graph.compare_within(wide, |old| both(old, 0.5))?.elements, 3);
    assert_eq!(seen.get(0)?, 3);
    Ok(())
}
