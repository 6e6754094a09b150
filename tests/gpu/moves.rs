//! Random graphs of fills and copies on a device, with the passes that change them and without, against plain Rust.

use graph_runtime::{Pass, Planning};
use tests::moves::{Drawn, applied, run};

use crate::{device, is_watched};

/// `CUDA_GRAPH_MOVES=2000` tries so many.
#[test]
fn random_moves() {
    let Some(device) = device() else { return };
    let few = if is_watched() { 6 } else { 60 };
    let seeds = std::env::var("CUDA_GRAPH_MOVES").ok().and_then(|text| text.parse().ok()).unwrap_or(few);
    let alone = device.clone().planned(Planning::default().without(Pass::Unread));
    let (mut left_out, mut merged) = (0, 0);
    for seed in 0..seeds {
        let drawn = Drawn::new(seed);
        left_out += applied(&run(&device, &drawn).unwrap(), Pass::Unread.name());
        merged += applied(&run(&alone, &drawn).unwrap(), Pass::Merging.name());
    }
    assert!(left_out > seeds / 2 && merged > seeds / 8, "{left_out} and {merged} in {seeds} graphs");
    let plain = device.clone().planned(Planning::as_written());
    for seed in 0..seeds / 4 {
        let passes = run(&plain, &Drawn::new(seed)).unwrap();
        assert_eq!([Pass::Unread, Pass::Merging].map(|pass| applied(&passes, pass.name())), [0; 2]);
    }
}
