//! Mailboxes: pinned memory that launches are given, and for which nobody waits.

use tests::watched::{CountingArgs, StoppingArgs};

use crate::child::{child, device, lawful, live, settle};
use crate::shape::calls;

#[test]
fn it_is_pinned_memory_that_orders_no_two_graphs() {
    child(|stand_in| {
        let device = device(stand_in, 13000);
        stand_in.forget().unwrap();
        let (stop, seen) = (device.mailbox(&[0_u32]).unwrap(), device.mailbox(&[0_u64, 0]).unwrap());
        assert_eq!(calls(&lawful(stand_in), &["cuMem"]), ["cuMemHostAlloc"; 2]);
        let mut turns = device.zeros::<u64>(1).unwrap();
        let counting = CountingArgs { stop: &stop, seen: &seen, turns: &mut turns, most: 9 };
        let mut counting = counting.build(&device).unwrap();
        let mut stopping = StoppingArgs { stop: &stop }.build(&device).unwrap();
        stand_in.forget().unwrap();
        counting.launch().unwrap();
        stopping.launch().unwrap();
        counting.launch().unwrap();
        stop.set(0, 0).unwrap();
        assert_eq!((stop.get(0).unwrap(), seen.get(1).unwrap()), (0, 0));
        let waits = ["cuGraphLaunch", "cuStreamWaitEvent", "cuEvent", "cuStreamSync", "cuMem"];
        assert_eq!(calls(&lawful(stand_in), &waits), ["cuGraphLaunch"; 3]);
        let pinned = || live(stand_in).iter().filter(|kind| *kind == "pinned memory").count();
        drop((stop, seen, stopping, counting));
        assert_eq!(pinned(), 2, "launches in flight keep them");
        settle(&device);
        assert_eq!(pinned(), 0);
    });
}
