//! Captured calls on the device: when closures run, what is refused, what a library does in a body.

use std::sync::atomic::{AtomicU32, Ordering};

use graph_runtime::prelude::*;
use tests::launcher::Launcher;

static CAPTURED: AtomicU32 = AtomicU32::new(0);

cuda_graph! {
    graph Affine(x: &mut [f32; n], by: f32, other: f32, launcher: &Launcher) {
        'twice: capture(&mut x, |stream, x| {
            CAPTURED.fetch_add(1, Ordering::Relaxed);
            launcher.twice(stream, &x, by)
        });
        x[0] += other;
    }

    graph Idle(x: &mut [f32; n], nothing: bool) {
        'idle: capture(&mut x, |stream, _| if nothing { stream.leave_empty() });
    }

    graph Allocates(x: &mut [f32; n]) {
        'grabs: capture(&mut x, |stream, _| {
            // SAFETY: nothing that is put into the stream touches memory of others.
            unsafe { stream.cuda_stream() }.alloc_zeros::<f32>(16).map(drop)
        });
    }

    graph Waits(x: &mut [f32; n]) {
        'waits: capture(&mut x, |stream, _| {
            // SAFETY: nothing is put into the stream.
            unsafe { stream.cuda_stream() }.synchronize()
        });
    }

    graph Fails(x: &mut [f32; n], panics: bool) {
        'fails: capture(&mut x, |_, _| -> std::result::Result<(), &str> {
            assert!(!panics, "no luck");
            Err("not today")
        });
    }

    graph Branches(x: &mut [f32; n], c: &[u32; 1], launcher: &Launcher) {
        if c[0] > 1 {
            capture(&mut x, |stream, x| launcher.twice(stream, &x, 1.0));
        } else {
            capture(&mut x, |stream, x| launcher.twice(stream, &x, -1.0));
        }
        capture(&mut x[..1], |stream, x| launcher.twice(stream, &x, 0.5));
    }
}

#[test]
fn closures_run_again_when_what_they_depend_on_changes_and_not_otherwise() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let launcher = Launcher::new(&device).unwrap();
    let mut x = device.buffer_from(&[1.0_f32, 2.0])?;
    let mut graph = AffineArgs { x: &mut x, by: 1.0, other: 0.0, launcher: &launcher }.build(&device)?;
    let captured = || CAPTURED.load(Ordering::Relaxed);
    assert_eq!(captured(), 1);
    graph.launch()?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [7.0, 11.0]);
    graph.set_other(100.0)?;
    assert_eq!(captured(), 1, "it does not name `other`");
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [115.0, 23.0]);
    graph.set_by(0.0)?;
    assert_eq!(captured(), 2);
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [330.0, 46.0]);
    graph.rebind_x(device.buffer_from(&[0.5_f32, 0.25])?)?;
    assert_eq!(captured(), 3);
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [101.0, 0.5]);
    Ok(())
}

#[test]
fn what_cannot_be_part_of_a_graph_is_refused_by_name() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut x = device.buffer_from(&[1.0_f32, 2.0])?;
    let told = IdleArgs { x: &mut x, nothing: false }.build(&device).unwrap_err().to_string();
    assert!(told.starts_with("node `idle` (") && told.contains("has put nothing into its stream [CG0803]"), "{told}");
    IdleArgs { x: &mut x, nothing: true }.build(&device)?.launch()?;
    let told = AllocatesArgs { x: &mut x }.build(&device).unwrap_err().to_string();
    assert!(told.contains("node `grabs` (") && told.contains("has captured an allocation"), "{told}");
    let told = WaitsArgs { x: &mut x }.build(&device).unwrap_err().to_string();
    assert!(told.contains("node `waits` ("), "{told}");
    let told = FailsArgs { x: &mut x, panics: false }.build(&device).unwrap_err().to_string();
    assert!(told.contains("node `fails` (") && told.ends_with("failed: not today"), "{told}");
    let told = FailsArgs { x: &mut x, panics: true }.build(&device).unwrap_err().to_string();
    assert!(told.contains("node `fails` (") && told.contains("panicked: no luck"), "{told}");
    // Nothing is left behind: the next capture works.
    let launcher = Launcher::new(&device).unwrap();
    let c = device.buffer_from(&[2_u32])?;
    let mut graph = BranchesArgs { x: &mut x, c: &c, launcher: &launcher }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [6.5, 5.0]);
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [28.5, 11.0]);
    Ok(())
}

#[test]
fn events_join_graphs_with_streams_of_others() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let context = cudarc::driver::CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    let [t0, t1] = [device.event()?, device.event()?];
    t0.record_on(&stream)?;
    t1.hold(&stream)?;
    t1.record_on(&stream)?;
    stream.synchronize().unwrap();
    assert!(t0.is_complete()? && t1.is_complete()?);
    t0.elapsed(&t1)?;
    let cpu = Device::cpu().event()?;
    assert!(cpu.record_on(&stream).is_err() && cpu.elapsed(&t0).is_err());
    Ok(())
}
