//! Every pipeline, with the values that the CPU gives.

use tests::pipelines::ALL;

#[test]
fn every_pipeline() {
    let Some(device) = crate::device() else { return };
    for (name, pipeline) in ALL {
        if let Err(error) = pipeline(&device) {
            panic!("{name}: {error}");
        }
        println!("{name}: ok");
    }
}
