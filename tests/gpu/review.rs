//! Wrong types, sizes that overflow and empty memory, on a device whose launches are still running.

use graph_runtime::prelude::*;
use graph_runtime::{BindMut, Error};
use tests::kernels::{basic, late};

use crate::graphs::{AddArgs, CYCLES, N};

cuda_graph! {
    /// `x[..k] += 1`, by way of a transient of `k` elements, and a loop whose counters lie behind it.
    graph Through(x: &mut [u32; n], k: usize, cycles: u64) {
        let t: [u32; k];
        'twice: loop limit 2 {
            copy(&x[..k], &out t);
            late::add<<<4, 256>>>(&mut t, 1, cycles, k as u32);
            copy(&t, &out x[..k]);
        }
    }

    /// Nothing of the graph's own has any bytes.
    graph Nothing(x: &mut [u32; n]) {
        let t: [u32; 0];
        #[allow(unread_result)]
        let h: host [u32; 0];
        basic::increment<<<1, 1>>>(&mut t, 0);
        copy(&t, &out h);
        fill(&out t, 7);
        basic::increment<<<1, 32>>>(&mut x, n as u32);
    }
}

#[test]
fn a_buffer_that_comes_back_is_read_as_what_it_is() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = AddArgs { x: device.zeros::<u32>(N)?, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    let other: Buffer<u32> = device.zeros(N)?;
    let old = graph.rebind::<[u64; 64]>(0, BindMut::<u32>::bind(other))?;
    let error = old.to_vec().unwrap_err().to_string();
    assert!(error.contains("a buffer of `u32` cannot be viewed"), "{error}");
    Ok(())
}

#[test]
fn a_setter_that_asks_for_too_much_changes_nothing() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let x = device.zeros::<u32>(N)?;
    let mut graph = ThroughArgs { x, k: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    for wrong in [N + 1, 1 << 40, 1 << 62, usize::MAX] {
        let error = graph.set_k(wrong).unwrap_err();
        assert!(matches!(error, Error::Refused(_)), "{wrong}: {error}");
    }
    graph.launch()?;
    graph.set_k(N)?;
    graph.launch()?;
    assert_eq!((graph.iterations(Through::TWICE)?, graph.exit(Through::TWICE)?), (2, Exit::Limit));
    let x = graph.into_parts().x.to_vec()?;
    assert_eq!((x[0], x[1], x[N - 1]), (6, 2, 2));
    Ok(())
}

cuda_graph! {
    /// Has more memory than there is.
    graph Vast(x: &mut [u32; n], k: usize) {
        let t: [u32; k];
        fill(&out t[..1], 1);
        loop limit 2 {
            copy(&t[..1], &out x[..1]);
        }
    }
}

#[test]
fn an_arena_that_does_not_fit_is_an_error_that_says_so() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    for k in [1 << 45, 1 << 62, usize::MAX] {
        let error = VastArgs { x: device.zeros::<u32>(1)?, k }.build(&device).err().unwrap();
        assert!(matches!(error, Error::Driver(_) | Error::Buffer(_)), "{k}: {error}");
        assert!(error.to_string().contains("bytes"), "{k}: {error}");
    }
    let mut graph = VastArgs { x: device.zeros::<u32>(1)?, k: 4 }.build(&device)?;
    graph.launch()?;
    assert!(graph.set_k(usize::MAX).is_err());
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [1], "the device goes on");
    Ok(())
}

#[test]
fn memory_of_no_bytes() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = NothingArgs { x: device.zeros::<u32>(8)? }.build(&device)?;
    graph.launch()?;
    graph.run_eager()?;
    assert_eq!(graph.x().to_vec()?, [2; 8]);
    let mut pinned = device.pinned_zeros::<[u64; 0]>(5)?;
    assert_eq!((pinned.as_slice()?.len(), pinned.as_mut_slice()?.len()), (5, 5));
    assert_eq!(device.zeros::<[u64; 0]>(3)?.to_vec()?.len(), 3);
    Ok(())
}

#[test]
fn the_context_is_made_current_wherever_a_graph_goes() -> Result<()> {
    let Some(device) = crate::device() else { return Ok(()) };
    let mut graph = AddArgs { x: device.zeros::<u32>(N)?, by: 1, cycles: CYCLES }.build(&device)?;
    graph.launch()?;
    // Each entry is the first call of its thread.
    let graph = moved(graph, |graph| graph.launch())?;
    let graph = moved(graph, |graph| graph.set_by(2))?;
    let graph = moved(graph, |graph| graph.run_eager())?;
    let graph = moved(graph, |graph| graph.synchronize())?;
    let x = std::thread::spawn(move || graph.into_parts().x.into_buffer()).join().unwrap().unwrap();
    let x = std::thread::spawn(move || x.to_vec()).join().unwrap()?;
    assert_eq!(x, [4; N]);
    Ok(())
}

/// Does something with a graph in a thread of its own.
fn moved<G: Send + 'static>(mut graph: G, call: impl FnOnce(&mut G) -> Result<()> + Send + 'static) -> Result<G> {
    std::thread::spawn(move || call(&mut graph).map(|()| graph)).join().unwrap()
}
