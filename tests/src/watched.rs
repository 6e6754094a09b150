//! Graphs that the host looks at, and ends, while they run.

use std::sync::atomic::{AtomicBool, Ordering};

use graph_runtime::prelude::*;

cuda_graph! {
    /// Counts its passes until the host says stop.
    pub graph Counting(stop: &mailbox [u32; 1], seen: &mut mailbox [u64; 2], turns: &out [u64; 1], most: usize) {
        turns[0] = 0;
        'turns: while stop[0] == 0 limit most {
            turns[0] += 1;
            seen[0] = turns[0];
        }
        seen[1] = turns[0];
    }

    /// Answers each question with half of it, and adds up what was asked, until it is asked something negative.
    pub graph Answering(asked: &mailbox [f32; 1], answer: &mut mailbox [f32; 2], sum: &out [f32; 1], last: &out [f32; 1], most: usize) {
        sum[0] = 0.0;
        last[0] = 0.0;
        let now: [f32; 1];
        'turns: loop limit most {
            now[0] = asked[0];
            if now[0] > last[0] {
                sum[0] += now[0];
                last[0] = now[0];
                answer[0] = 0.5 * now[0];
                answer[1] += 1.0;
            }
            if now[0] < 0.0 { break; }
        }
    }

    /// Tells another graph to stop.
    pub graph Stopping(stop: &mut mailbox [u32; 1]) {
        stop[0] = 1;
    }
}

/// More passes than any of these makes if the host is heard.
pub const MOST: usize = 1 << 25;

/// Lets a loop count until it has got somewhere, ends it from another thread, and looks at what it says of itself.
///
/// # Errors
/// Of the device.
pub fn count_until_told(device: &Device) -> Result<()> {
    let (stop, seen) = (device.mailbox(&[0_u32])?, device.mailbox(&[0_u64, 0])?);
    let mut turns = device.buffer_from(&[77_u64])?;
    let mut graph = CountingArgs { stop: &stop, seen: &seen, turns: &mut turns, most: MOST }.build(device)?;
    for goal in [1000, 5000] {
        stop.set(0, 0)?;
        seen.set(0, 0)?;
        let over = AtomicBool::new(false);
        let reached = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| -> Result<u64> {
                let mut at = 0;
                while at < goal && !over.load(Ordering::Relaxed) {
                    let now = seen.get(0)?;
                    assert!(now >= at, "it counts upwards: {now} behind {at}");
                    at = now;
                    std::thread::yield_now();
                }
                stop.set(0, 1)?;
                Ok(at)
            });
            let ran = graph.launch().and_then(|()| graph.synchronize());
            over.store(true, Ordering::Relaxed);
            ran.and(watcher.join().unwrap())
        })?;
        let passes = graph.turns().to_vec()?[0];
        assert_eq!((graph.iterations(Counting::TURNS)?, graph.exit(Counting::TURNS)?), (passes, Exit::Condition));
        assert!(reached >= goal && passes >= reached && passes < MOST as u64, "{reached} of {passes}");
        assert_eq!((seen.get(0)?, seen.get(1)?), (passes, passes));
    }
    Ok(())
}

/// Asks a running loop a hundred questions, one behind the answer to the other.
///
/// # Errors
/// Of the device.
pub fn ask_and_answer(device: &Device) -> Result<()> {
    let (asked, answer) = (device.mailbox(&[0.0_f32])?, device.mailbox(&[0.0_f32, 0.0])?);
    let [mut sum, mut last] = [device.buffer_from(&[7.0_f32])?, device.buffer_from(&[7.0_f32])?];
    let (sum, last) = (&mut sum, &mut last);
    let mut graph = AnsweringArgs { asked: &asked, answer: &answer, sum, last, most: MOST }.build(device)?;
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let host = scope.spawn(|| {
            for question in 1..=100_u8 {
                let question = f32::from(question);
                asked.set(0, question)?;
                while answer.get(0)? != 0.5 * question && !over.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            }
            asked.set(0, -1.0)
        });
        let ran = graph.launch().and_then(|()| graph.synchronize());
        over.store(true, Ordering::Relaxed);
        ran.and(host.join().unwrap())
    })?;
    assert_eq!((graph.sum().to_vec()?, graph.last().to_vec()?, answer.get(1)?), (vec![5050.0], vec![100.0], 100.0));
    assert_eq!(graph.exit(Answering::TURNS)?, Exit::Condition);
    Ok(())
}
