//! A server for inference: requests of different sizes, two replicas of one network in turn, and no thread that waits for a launch.

use std::collections::VecDeque;
use std::time::Duration;

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, streams, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "server", about: "requests of many sizes, awaited, on two replicas of a network", run };

/// Numbers in a row of a request.
pub const IN: usize = 24;
/// Numbers between the layers.
pub const HIDDEN: usize = 40;
/// Numbers in a row of an answer.
pub const OUT: usize = 8;
/// Most rows of a request.
pub const ROWS: usize = 64;

cuda_graph! {
    /// `y = relu(x w1) w2` for `n` rows. From `begun` to `read` it takes to fetch the input, whatever
    /// else runs meanwhile; `y` is written when what was there is `sent`.
    pub graph Infer(
        w1: &[f32; IN * HIDDEN],
        w2: &[f32; HIDDEN * OUT],
        x: &host [f32; n * IN],
        y: &out host [f32; n * OUT],
        n: usize <= ROWS,
        begun: &Event,
        read: &Event,
        sent: &Event,
    ) {
        let input: [f32; n * IN];
        let hidden: [f32; n * HIDDEN];
        let output: [f32; n * OUT];
        record(&begun, &x);
        copy(&x, &out input);
        record(&read, &x);
        kernel for (i, j) in (0..n, 0..HIDDEN) {
            let mut sum = 0.0;
            for k in 0..IN { sum += input[i * IN + k] * w1[k * HIDDEN + j]; }
            hidden[i * HIDDEN + j] = sum.max(0.0);
        }
        kernel for (i, j) in (0..n, 0..OUT) {
            let mut sum = 0.0;
            for k in 0..HIDDEN { sum += hidden[i * HIDDEN + k] * w2[k * OUT + j]; }
            output[i * OUT + j] = sum;
        }
        wait(&sent, &y);
        copy(&output, &out y);
    }
}

/// The network's matrices, and both replicas with their slots.
struct Server<'g> {
    replicas: Replicas<Infer<'g>>,
    /// Of each replica: `begun`, `read` and `sent`.
    events: Vec<[Event; 3]>,
    /// Launches whose answers nobody has taken: of which replica, how many rows.
    running: VecDeque<(usize, usize, Ticket)>,
}

impl<'g> Server<'g> {
    fn new(device: &Device, w1: &'g Buffer<f32>, w2: &'g Buffer<f32>) -> Result<Self> {
        let mut events = Vec::new();
        let replica = |_| {
            let (x, y) = (device.pinned_zeros(ROWS * IN)?, device.pinned_zeros(ROWS * OUT)?);
            let (begun, read, sent) = (device.event()?, device.event()?, device.event()?);
            events.push([begun.clone(), read.clone(), sent.clone()]);
            InferArgs { w1, w2, x, y, n: ROWS, begun, read, sent }.build(device)
        };
        let replicas = Replicas::build(2, replica)?;
        Ok(Self { replicas, events, running: VecDeque::new() })
    }

    /// Launches a request on the replica whose turn it is.
    fn launch(&mut self, request: &[f32]) -> Result {
        let (index, graph) = self.replicas.turn();
        let rows = request.len() / IN;
        graph.set_n(rows)?;
        graph.x_mut()?.slice_mut(..request.len())?.write_from(request)?;
        graph.launch()?;
        self.running.push_back((index, rows, graph.ticket()));
        Ok(())
    }

    /// Awaits the oldest launch.
    async fn answer(&mut self) -> Result<Option<Vec<f32>>> {
        let Some((index, rows, done)) = self.running.pop_front() else { return Ok(None) };
        done.await?;
        let answer = self.replicas[index].y().slice(..rows * OUT)?.to_vec()?;
        self.events[index][2].record()?;
        Ok(Some(answer))
    }

    /// One request on each replica, while there are any.
    async fn serve(&mut self, requests: &[Vec<f32>]) -> Result<Vec<Vec<f32>>> {
        let mut answers = Vec::new();
        for request in requests {
            if self.running.len() == self.replicas.len() {
                answers.extend(self.answer().await?);
            }
            self.launch(request)?;
        }
        while let Some(answer) = self.answer().await? {
            answers.push(answer);
        }
        Ok(answers)
    }
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/server.json"))?;
    let weights = (uniform(1100, IN * HIDDEN), uniform(1101, HIDDEN * OUT));
    let (w1, w2) = (device.buffer_from(&weights.0)?, device.buffer_from(&weights.1)?);
    let requests: Vec<Vec<f32>> =
        [7, 64, 1, 33].iter().zip(1110..).map(|(rows, seed)| uniform(seed, rows * IN)).collect();
    let mut server = Server::new(device, &w1, &w2)?;
    let answers = pollster::block_on(server.serve(&requests))?;
    report.equal("answers", &answers.len(), &requests.len());
    for [begun, read, _] in &server.events {
        report.equal("an input takes less than a minute", &(begun.elapsed(read)? < Duration::from_secs(60)), &true);
    }
    for (number, answer) in answers.iter().enumerate() {
        let name = format!("request_{number}");
        report.close(&name, answer, reference.get(&name)?, 1e-6);
    }
    let launches = streams::network::Network::new(device, &weights.0, &weights.1, requests.clone())?;
    let all: Vec<f64> = answers.concat().into_iter().map(f64::from).collect();
    let launches = report.checked(launches, &all, 1e-6)?;
    report.time_beside("four requests", launches, || pollster::block_on(server.serve(&requests)).map(drop))
}
