//! Wakes those who await launches: one thread looks at all of them, and sleeps when nobody waits.
//!
//! A callback in the graph's stream would hold up the launches behind it, and could not call CUDA, as an executor's waker may.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;
use std::time::{Duration, Instant};

use crate::device::Fence;

/// Between two looks at launches that take long.
const PAUSE: Duration = Duration::from_micros(20);
/// What is not long.
const SHORT: Duration = Duration::from_micros(200);

/// A launch, and who awaits it.
pub(super) struct Watched {
    fence: Arc<dyn Fence>,
    launch: u64,
    waker: Mutex<Waker>,
}

impl Watched {
    pub(super) fn new(fence: Arc<dyn Fence>, launch: u64, waker: &Waker) -> Arc<Self> {
        Arc::new(Self { fence, launch, waker: Mutex::new(waker.clone()) })
    }

    /// Somebody else awaits it now.
    pub(super) fn wake_instead(&self, waker: &Waker) {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner).clone_from(waker);
    }

    fn wake(&self) {
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // A waker that panics is its executor's fault, and others wait too.
        let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
    }
}

struct Pending {
    list: Vec<Arc<Watched>>,
    /// Whether the thread was started.
    watching: bool,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending { list: Vec::new(), watching: false });
static ADDED: Condvar = Condvar::new();

fn pending() -> MutexGuard<'static, Pending> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Wakes whoever awaits the launch when it is over. Without a thread, at once: then the executor asks again and again.
pub(super) fn watch(watched: Arc<Watched>) {
    let mut pending = pending();
    pending.list.push(watched);
    if !pending.watching {
        let thread = thread::Builder::new().name("graph tickets".to_owned());
        pending.watching = thread.spawn(look_for_ever).is_ok();
    }
    if pending.watching {
        ADDED.notify_one();
        return;
    }
    let list = std::mem::take(&mut pending.list);
    drop(pending);
    list.iter().for_each(|watched| watched.wake());
}

/// Looks without a pause for as long as a short launch takes, then with one, and sleeps while nobody awaits anything.
fn look_for_ever() {
    let mut since = Instant::now();
    loop {
        let mut pending = pending();
        while pending.list.is_empty() {
            pending = ADDED.wait(pending).unwrap_or_else(PoisonError::into_inner);
            since = Instant::now();
        }
        let over = take_over(&mut pending.list);
        drop(pending);
        if !over.is_empty() {
            since = Instant::now();
            over.iter().for_each(|watched| watched.wake());
        } else if since.elapsed() < SHORT {
            thread::yield_now();
        } else {
            thread::sleep(PAUSE);
        }
    }
}

/// Those that are over. A ticket that was dropped is over too.
fn take_over(list: &mut Vec<Arc<Watched>>) -> Vec<Arc<Watched>> {
    let is_over = |watched: &Arc<Watched>| Arc::strong_count(watched) == 1 || watched.fence.settled(watched.launch);
    let (over, others) = std::mem::take(list).into_iter().partition(is_over);
    *list = others;
    over
}
