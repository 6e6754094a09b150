// CG0207, CG0208, CG0504, CG0505: names with values that are left, guards of the host's, names that are back at the end of an arm.
use graph_runtime::prelude::*;

const SPECIAL: u32 = 9;

cuda_graph! {
    graph Arms(s: &[u32; 1], x: &mut [u32; 1], y: &mut [u32; 1], tables: [&[u32; 1]], count: u32, more: bool) {
        match s[0] {
            0 | 1 => { y[0] = 100; }
            k @ 0..count if k != 3 => {
                copy(&tables[k as usize], &out y);
                swap(&mut x, &mut y);
                y[0] = k;
                swap(&mut x, &mut y);
            }
            SPECIAL if more => { y[0] = 300; }
            k @ (20 | 21) => { fill(&out y, k * 2); }
            _ => { y[0] = 400; }
        }
    }
}

pub fn main() -> Result<()> {
    let device = Device::cpu();
    let tables = (0..4_u32).map(|k| device.buffer_from(&[10 * k])).collect::<Result<Vec<_>>>()?;
    for (value, x, y) in [(1, 0, 100), (2, 2, 20), (3, 0, 400), (9, 0, 300), (21, 0, 42), (7, 0, 400)] {
        let arguments = ArmsArgs {
            s: device.buffer_from(&[value])?,
            x: device.zeros(1)?,
            y: device.zeros(1)?,
            tables: tables.iter().collect::<Vec<_>>(),
            count: 4,
            more: true,
        };
        let mut graph = arguments.build(&device)?;
        graph.launch()?;
        assert_eq!((graph.x().to_vec()?, graph.y().to_vec()?), (vec![x], vec![y]), "{value}");
    }
    Ok(())
}
