//! Awaiting launches that another thread ends.

use std::any::Any;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use super::Ticket;
use crate::device::Fence;
use crate::error::{Error, Result};

/// Launches that are over when a test says so; the third fails.
#[derive(Debug, Default)]
struct Told(AtomicU64);

impl Fence for Told {
    fn launched(&self) -> u64 {
        5
    }

    fn finished(&self, launch: u64) -> bool {
        launch <= self.0.load(Ordering::Acquire)
    }

    fn wait(&self, launch: u64) -> Result<()> {
        if launch == 3 { Err(Error::Unavailable("the third".to_owned())) } else { Ok(()) }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Wakes a thread, and counts.
struct Unpark(Thread, AtomicU64);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.1.fetch_add(1, Ordering::AcqRel);
        self.0.unpark();
    }
}

fn ticket(fence: &Arc<Told>, launch: u64) -> Ticket {
    Ticket { fence: Arc::clone(fence) as Arc<dyn Fence>, launch, watched: None }
}

/// Waits for the future, and says how often it was woken.
fn block_on<F: Future>(future: F) -> (F::Output, u64) {
    let wake = Arc::new(Unpark(thread::current(), AtomicU64::new(0)));
    let waker = Waker::from(Arc::clone(&wake));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return (output, wake.1.load(Ordering::Acquire));
        }
        thread::park();
    }
}

#[test]
fn what_is_over_wakes_nobody() {
    let fence = Arc::new(Told(AtomicU64::new(4)));
    assert!(ticket(&fence, 4).is_complete());
    assert!(!ticket(&fence, 5).is_complete());
    let (outcome, woken) = block_on(ticket(&fence, 4));
    outcome.unwrap();
    assert_eq!(woken, 0);
}

#[test]
fn whoever_awaits_is_woken_when_another_thread_ends_the_launch() {
    for launch in 1..=2 {
        let fence = Arc::new(Told::default());
        let mut awaited = Box::pin(ticket(&fence, launch));
        // Pending for somebody else first, who is not the one to be woken.
        assert!(awaited.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        let waiting = thread::spawn(move || block_on(awaited));
        fence.0.store(launch, Ordering::Release);
        waiting.join().unwrap().0.unwrap();
    }
}

#[test]
fn an_error_reaches_who_awaits() {
    let fence = Arc::new(Told::default());
    let third = ticket(&fence, 3);
    let waiting = thread::spawn(move || block_on(third));
    fence.0.store(3, Ordering::Release);
    assert_eq!(waiting.join().unwrap().0.unwrap_err().to_string(), "the third");
}

#[test]
fn a_ticket_that_is_dropped_holds_nothing() {
    let fence = Arc::new(Told::default());
    let mut dropped = Box::pin(ticket(&fence, 1));
    assert!(dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(dropped);
    // The thread that looks forgets it without being told that it is over.
    while Arc::strong_count(&fence) > 1 {
        thread::yield_now();
    }
}
