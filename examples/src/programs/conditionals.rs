//! NVIDIA's `graphConditionalNodes`: an `if`, a `do … while`, a `while` and a `switch` on values in device memory.
//!
//! The sample's kernels print; these count their launches, so that what ran can be looked at.

use graph_runtime::prelude::*;

use super::{Program, Report, Result, streams};

/// This program.
pub const PROGRAM: Program =
    Program { name: "conditionals", about: "if, do-while, while, switch on the device (graphConditionalNodes)", run };

/// A kernel that counts its launches.
#[cuda_module("kernels/programs/conditionals.cu")]
unsafe mod k {
    pub fn count(counter: &mut [u32; 1]) {
        counter[0] += 1;
    }
}

cuda_graph! {
    /// Counts odd values apart from even ones.
    pub graph If(d: &[u8; 1], odd: &mut [u32; 1], even: &mut [u32; 1]) {
        if d[0] % 2 == 1 {
            k::count<<<1, 1>>>(&mut odd);
        } else {
            k::count<<<1, 1>>>(&mut even);
        }
    }

    /// Counts down to zero, once at least.
    pub graph DoWhile(d: &mut [i8; 1], passes: &mut [u32; 1]) {
        'down: loop {
            k::count<<<1, 1>>>(&mut passes);
            k::count<<<1, 1>>>(&mut passes);
            d[0] -= 1;
            if d[0] == 0 { break; }
        }
    }

    /// Counts down to zero, then runs one more kernel.
    pub graph While(d: &mut [u8; 1], end: &mut [u32; 1]) {
        'w: while d[0] != 0 {
            d[0] -= 1;
        }
        k::count<<<1, 1>>>(&mut end) after 'w;
    }

    /// One kernel for each value from 0 to 3.
    pub graph Switch(d: &[u8; 1], zero: &mut [u32; 1], one: &mut [u32; 1], two: &mut [u32; 1], three: &mut [u32; 1]) {
        match d[0] {
            0 => { k::count<<<1, 1>>>(&mut zero); }
            1 => { k::count<<<1, 1>>>(&mut one); }
            2 => { k::count<<<1, 1>>>(&mut two); }
            3 => { k::count<<<1, 1>>>(&mut three); }
            _ => {}
        }
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    branch(device, report)?;
    loops(device, report)?;
    switch(device, report)
}

/// The values 0 to 6 hold three odd ones.
fn branch(device: &Device, report: &mut Report) -> Result {
    let (d, mut odd, mut even) = (device.zeros::<u8>(1)?, device.zeros(1)?, device.zeros(1)?);
    let mut graph = IfArgs { d, odd: &mut odd, even: &mut even }.build(device)?;
    for value in 0..7 {
        graph.d_mut()?.write_from(&[value])?;
        graph.launch()?;
    }
    report.equal("odd values", &graph.odd().to_vec()?, &vec![3_u32]);
    report.equal("even values", &graph.even().to_vec()?, &vec![4_u32]);
    Ok(())
}

fn loops(device: &Device, report: &mut Report) -> Result {
    let (mut d, mut passes) = (device.buffer_from(&[10_i8])?, device.zeros(1)?);
    let mut graph = DoWhileArgs { d: &mut d, passes: &mut passes }.build(device)?;
    graph.launch()?;
    report.equal("passes of do-while", &graph.iterations(DoWhile::DOWN)?, &10);
    report.equal("launches in do-while", &graph.passes().to_vec()?, &vec![20_u32]);

    let (mut d, mut end) = (device.buffer_from(&[10_u8])?, device.zeros(1)?);
    let mut graph = WhileArgs { d: &mut d, end: &mut end }.build(device)?;
    graph.launch()?;
    report.equal("passes of while", &graph.iterations(While::W)?, &10);
    report.equal("launches behind while", &graph.end().to_vec()?, &vec![1_u32]);
    let launches = report.checked(streams::count::CountDown::new(device)?, &[0.0], 0.0)?;
    report.time_beside("10 passes of while", launches, || {
        graph.d_mut()?.write_from(&[10])?;
        graph.launch()?;
        graph.synchronize()
    })
}

/// A value without an arm runs nothing.
fn switch(device: &Device, report: &mut Report) -> Result {
    for value in 0..5_u8 {
        let d = device.buffer_from(&[value])?;
        let counter = || device.buffer_from(&[0_u32]);
        let (zero, one, two, three) = (counter()?, counter()?, counter()?, counter()?);
        let mut graph = SwitchArgs { d: &d, zero, one, two, three }.build(device)?;
        graph.launch()?;
        let counts = [graph.zero(), graph.one(), graph.two(), graph.three()].map(|view| view.to_vec());
        let counts = counts.into_iter().collect::<graph_runtime::Result<Vec<_>>>()?.concat();
        let expected: Vec<u32> = (0..4).map(|arm| u32::from(arm == value)).collect();
        report.equal(&format!("arms taken for {value}"), &counts, &expected);
    }
    Ok(())
}
