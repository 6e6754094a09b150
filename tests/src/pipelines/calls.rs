//! What the host has a part in: objects, callbacks, events, captures with a form for the CPU.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use graph_runtime::prelude::*;

use crate::kernels::basic;
use crate::launcher::Launcher;
use crate::run::run;

/// Collects what callbacks say.
#[derive(Default)]
pub struct Log(Mutex<Vec<String>>);

impl Log {
    /// Adds a line.
    pub fn line(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// How much memory something needs.
pub struct Sizes {
    /// Elements for each piece.
    pub each: usize,
}

impl Sizes {
    /// For so many pieces.
    pub fn of(&self, pieces: usize) -> usize {
        self.each * pieces
    }
}

cuda_graph! {
    graph Tell(h: &host [f32; n], sum: &mut host [f32; 1], by: f32, log: &Log, n: usize) {
        let x: [f32; n];
        let seen: host [f32; n];
        copy(&h, &out x);
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut x, by, n as u32);
        copy(&x, &out seen);
        host(&seen, &mut sum, |seen, sum| {
            sum[0] += seen.iter().sum::<f32>();
            log.line(format!("{n} elements, {by} added: {}", sum[0]));
        });
        host(&sum, |sum| log.line(format!("then {}", sum[0])));
    }

    graph Halves(x: &mut host [u32; 8]) {
        host(&x[..4], &mut x[4..], |low, high| high.copy_from_slice(low));
        host(&mut x[..2], |first: &mut [u32]| -> std::result::Result<(), String> {
            let at = first.iter().position(|value| *value == 2).ok_or("no two")?;
            first[at] = 20;
            Ok(())
        });
    }

    #[allow(unused_parameter, reason = "bound all the same")]
    graph Count(x: &[f32; n], counter: &mut Counter, sizes: &Sizes) {
        let t: host [f32; sizes.of(2)];
        fill(&out t, 1.5);
        host(&t, &mut counter, |t, counter| counter.add(t.len()));
        host(&mut counter, |counter| counter.double());
        host(&t, &mut counter, |_, c| c.add(1));
    }

    graph Fails(x: &host [f32; 1]) {
        'check: host(&x, |x| if x[0] < 0.0 { Err(format!("{} is negative", x[0])) } else { Ok(()) });
    }

    graph Panics(x: &host [f32; 1]) {
        'check: host(&x, |x| assert!(x[0] > 0.0, "not positive"));
    }

    graph Timed(x: &mut [f32; n], y: &mut [f32; n], t0: &Event, t1: &Event, by: f32) {
        record(&t0, &x);
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut x, by, n as u32);
        record(&t1, &x);
        basic::add_constant<<<n.div_ceil(32), 32>>>(&mut y, by, n as u32);
    }

    graph Waits(x: &[f32; n], y: &out [f32; n], ready: &Event, read: &Event) {
        wait(&ready);
        copy(&x, &out y);
        record(&read);
    }
}

/// Counts, by one caller at a time.
pub struct Counter {
    total: Arc<AtomicU64>,
}

impl Counter {
    fn add(&mut self, more: usize) {
        let before = self.total.load(Ordering::Relaxed);
        self.total.store(before + more as u64, Ordering::Relaxed);
    }

    fn double(&mut self) {
        self.total.store(2 * self.total.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Callbacks see pinned memory, host values as they are at each launch, and objects; they keep their order.
pub fn callbacks(device: &Device) -> Result<()> {
    let log = Arc::new(Log::default());
    let h = device.pinned_from(&[1.0_f32, 2.0, 3.0, 4.0])?;
    let mut sum = device.pinned_from(&[100.0_f32])?;
    let mut graph = TellArgs { h: &h, sum: &mut sum, by: 0.5, log: Arc::clone(&log), n: 4 }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.sum().to_vec()?, [112.0]);
    assert_eq!(log.take(), ["4 elements, 0.5 added: 112", "then 112"]);
    graph.set_by(-1.0)?;
    graph.launch()?;
    graph.launch()?;
    graph.synchronize()?;
    assert_eq!(log.take(), ["4 elements, -1 added: 118", "then 118", "4 elements, -1 added: 124", "then 124"]);
    drop(graph);
    let mut x = device.pinned_from(&[1_u32, 2, 3, 4, 0, 0, 0, 0])?;
    let mut graph = HalvesArgs { x: &mut x }.build(device)?;
    run(&mut graph)?;
    assert_eq!(graph.x().to_vec()?, [1, 20, 3, 4, 1, 2, 3, 4]);
    let again = graph.launch().and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(again.contains("failed: no two"), "{again}");
    Ok(())
}

/// Uses of an object that is used alone keep their order.
pub fn objects(device: &Device) -> Result<()> {
    let total = Arc::new(AtomicU64::new(5));
    let x = device.zeros::<f32>(1)?;
    let (counter, sizes) = (Counter { total: Arc::clone(&total) }, Sizes { each: 3 });
    let mut graph = CountArgs { x: &x, counter, sizes: &sizes }.build(device)?;
    run(&mut graph)?;
    graph.synchronize()?;
    // (5 + 6) · 2 + 1
    assert_eq!(total.load(Ordering::Relaxed), 23);
    run(&mut graph)?;
    graph.synchronize()?;
    // (23 + 6) · 2 + 1
    assert_eq!(total.load(Ordering::Relaxed), 59);
    Ok(())
}

/// What a callback says went wrong is reported by whoever waits, with the node, once; the graph can be launched again.
pub fn failing_callbacks(device: &Device) -> Result<()> {
    let mut x = device.pinned_from(&[-2.0_f32])?;
    let mut graph = FailsArgs { x: &x }.build(device)?;
    let told = graph.launch().and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(told.starts_with("node `check` (") && told.ends_with("failed: -2 is negative"), "{told}");
    graph.synchronize()?;
    assert!(graph.run_eager().is_err());
    drop(graph);
    x.write_from(&[0.0])?;
    let mut graph = PanicsArgs { x: &x }.build(device)?;
    let told = graph.launch().and_then(|()| graph.synchronize()).unwrap_err().to_string();
    assert!(told.contains("node `check` (") && told.contains("panicked: not positive"), "{told}");
    Ok(())
}

/// Events are recorded at each launch, in order, and waited for.
pub fn events(device: &Device) -> Result<()> {
    let [t0, t1, t2] = [device.event()?, device.event()?, device.event()?];
    assert!(t0.elapsed(&t1).is_err(), "never recorded");
    let (mut x, mut y) = (device.zeros::<f32>(64)?, device.zeros::<f32>(64)?);
    let mut graph = TimedArgs { x: &mut x, y: &mut y, t0: &t0, t1: &t1, by: 2.0 }.build(device)?;
    run(&mut graph)?;
    t1.synchronize()?;
    assert!(t1.is_complete()?);
    // The order is the graph's; how long it took is the machine's.
    assert!(t0.elapsed(&t1).is_ok());
    let edges = graph.plan().edges();
    let pairs: Vec<_> = edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    assert_eq!(pairs, [("record t0", "add_constant"), ("add_constant", "record t1")]);
    drop(graph);
    let mut z = device.zeros::<f32>(64)?;
    let mut waits = WaitsArgs { x: &x, y: &mut z, ready: &t1, read: t2.clone() }.build(device)?;
    run(&mut waits)?;
    assert_eq!(waits.y().to_vec()?, vec![2.0; 64]);
    t2.synchronize()?;
    Ok(())
}

cuda_graph! {
    graph Doubled(x: &[f32; n], y: &out [f32; n], rounds: u32, by: f32, launcher: &Launcher) {
        let left: [u32; 1];
        let t: [f32; n];
        left[0] = rounds;
        copy(&x, &out t);
        'again: while left[0] > 0 {
            left[0] -= 1;
            'twice: capture(
                &mut t,
                |stream, t| launcher.twice(stream, &t, by),
                cpu = |t| t.iter_mut().for_each(|t| *t = *t * 2.0 + by)
            );
        }
        copy(&t, &out y);
    }
}

/// A captured call in the body of a loop, captured anew when a value that it names is set.
pub fn captures(device: &Device) -> Result<()> {
    let launcher = Launcher::new(device).map_err(|error| Error::Unavailable(error.to_string()))?;
    let x = device.buffer_from(&[1.0_f32, -3.0])?;
    let mut y = device.zeros::<f32>(2)?;
    let mut graph = DoubledArgs { x: &x, y: &mut y, rounds: 3, by: 1.0, launcher: &launcher }.build(device)?;
    run(&mut graph)?;
    // t -> 2 t + 1, three times: 8 t + 7.
    assert_eq!(graph.y().to_vec()?, [15.0, -17.0]);
    assert_eq!(graph.iterations(Doubled::AGAIN)?, 3);
    graph.set_by(0.0)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [8.0, -24.0]);
    graph.set_rounds(1)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [2.0, -6.0]);
    graph.rebind_x(device.buffer_from(&[5.0_f32, 7.0])?)?;
    run(&mut graph)?;
    assert_eq!(graph.y().to_vec()?, [10.0, 14.0]);
    Ok(())
}
