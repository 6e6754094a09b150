// CG0409, CG0502, CG0403: a loop that only the host ends; posts that nobody in the graph reads; one word for two things.
use graph_runtime::prelude::*;

cuda_graph! {
    #[deny(unread_result, endless_loop)]
    graph Watched(mailbox: &mailbox [u32; 2], seen: &mut mailbox [f32; 1], x: &mut [f32; n]) {
        seen[0] = 0.0;
        seen[0] = 0.5;
        while mailbox[0] == 0 {
            kernel for i in 0..n { x[i] = 0.5 * x[i]; }
            if mailbox[1] > 0 { seen[0] = x[0]; }
        }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let (stop, seen, mut x) = (device.mailbox(&[1_u32, 0])?, device.mailbox(&[7.0_f32])?, device.buffer_from(&[3.0_f32])?);
    WatchedArgs { mailbox: &stop, seen: &seen, x: &mut x }.build(&device)?.launch()?;
    assert_eq!((seen.get(0)?, x.to_vec()?), (0.5, vec![3.0]));
    Ok(())
}
