//! An update of proximal policy optimisation: forward, backward by hand, clipping, Adam, and an early stop by the KL divergence that
//! needs no round trip to the host.
//!
//! There is no autograd: the gradients are written out. The parameters are one buffer, as optimisers flatten them.

use graph_runtime::prelude::*;

use super::{Program, Reference, Report, Result, uniform};

/// This program.
pub const PROGRAM: Program =
    Program { name: "ppo", about: "an update of PPO with an early stop that the device decides", run };

const SAMPLES: usize = 64;
const MINIBATCH: usize = 16;
const EPOCHS: usize = 4;
const IN: usize = 4;
const HIDDEN: usize = 16;
const ACTIONS: usize = 3;

// Where the parameters begin: `tanh(W1 x + B1)`, the policy's head, the value's head.
const W1: usize = 0;
const B1: usize = W1 + HIDDEN * IN;
const W2: usize = B1 + HIDDEN;
const B2: usize = W2 + ACTIONS * HIDDEN;
const W3: usize = B2 + ACTIONS;
const B3: usize = W3 + HIDDEN;
const ALL: usize = B3 + 1;

cuda_graph! {
    /// The gradient `g` of the loss on the samples `index`, times `scale`, and how far the policy has moved from `old`.
    pub graph Minibatch(
        index: &[u32; mb],
        x: &[f64; n * IN],
        action: &[u32; n],
        advantage: &[f64; n],
        goal: &[f64; n],
        old: &[f64; n],
        p: &[f64; ALL],
        scale: &[f64; 1],
        g: &out [f64; ALL],
        kl: &out [f64; 1],
        clip: f64,
        n: usize,
    ) {
        let h: [f64; mb * HIDDEN];
        let logit: [f64; mb * ACTIONS];
        let choice: [f64; mb * ACTIONS];    // the loss by the logits
        let value: [f64; mb];               // the loss by the values
        let below: [f64; mb * HIDDEN];      // the loss by what `tanh` is given
        let moved: [f64; mb];

        kernel for (i, j) in (0..mb, 0..HIDDEN) {
            let mut sum = p[B1 + j];
            for k in 0..IN { sum += p[W1 + j * IN + k] * x[index[i] as usize * IN + k]; }
            h[i * HIDDEN + j] = sum.tanh();
        }
        kernel for (i, a) in (0..mb, 0..ACTIONS) {
            let mut sum = p[B2 + a];
            for j in 0..HIDDEN { sum += p[W2 + a * HIDDEN + j] * h[i * HIDDEN + j]; }
            logit[i * ACTIONS + a] = sum;
        }
        kernel for i in 0..mb {
            let s = index[i];
            let mut total = 0.0;
            for a in 0..ACTIONS { total += logit[i * ACTIONS + a].exp(); }
            let change = logit[i * ACTIONS + action[s] as usize] - total.ln() - old[s];
            let ratio = change.exp();
            let whole = ratio * advantage[s];
            let clipped = ratio.clamp(1.0 - clip, 1.0 + clip) * advantage[s];
            let slope = if whole <= clipped { -whole * scale[0] / mb as f64 } else { 0.0 };
            for a in 0..ACTIONS {
                let chosen = if a == action[s] as usize { 1.0 } else { 0.0 };
                choice[i * ACTIONS + a] = slope * (chosen - logit[i * ACTIONS + a].exp() / total);
            }
            let mut found = p[B3];
            for j in 0..HIDDEN { found += p[W3 + j] * h[i * HIDDEN + j]; }
            value[i] = (found - goal[s]) * scale[0] / mb as f64;
            moved[i] = ratio - 1.0 - change;
        }
        kl[0] = (0..mb).map(|i| moved[i] / mb as f64).sum();

        kernel for (i, j) in (0..mb, 0..HIDDEN) {
            let mut sum = value[i] * p[W3 + j];
            for a in 0..ACTIONS { sum += choice[i * ACTIONS + a] * p[W2 + a * HIDDEN + j]; }
            below[i * HIDDEN + j] = sum * (1.0 - h[i * HIDDEN + j] * h[i * HIDDEN + j]);
        }
        kernel for (j, k) in (0..HIDDEN, 0..IN) {
            let mut sum = 0.0;
            for i in 0..mb { sum += below[i * HIDDEN + j] * x[index[i] as usize * IN + k]; }
            g[W1 + j * IN + k] = sum;
        }
        kernel for j in 0..HIDDEN {
            let mut sum = 0.0;
            for i in 0..mb { sum += below[i * HIDDEN + j]; }
            g[B1 + j] = sum;
        }
        kernel for j in 0..HIDDEN {
            let mut sum = 0.0;
            for i in 0..mb { sum += value[i] * h[i * HIDDEN + j]; }
            g[W3 + j] = sum;
        }
        kernel for (a, j) in (0..ACTIONS, 0..HIDDEN) {
            let mut sum = 0.0;
            for i in 0..mb { sum += choice[i * ACTIONS + a] * h[i * HIDDEN + j]; }
            g[W2 + a * HIDDEN + j] = sum;
        }
        kernel for a in 0..ACTIONS {
            let mut sum = 0.0;
            for i in 0..mb { sum += choice[i * ACTIONS + a]; }
            g[B2 + a] = sum;
        }
        g[B3] = (0..mb).map(|i| value[i]).sum();
    }

    /// Goes over `n` samples in the given orders, `mb` at a time, until the policy has moved by more than `kl_max` in an epoch.
    pub graph Update(
        x: &[f64; n * IN],
        action: &[u32; n],
        advantage: &[f64; n],
        goal: &[f64; n],
        old: &[f64; n],
        order: &host [u32; epochs * n],
        p: &mut [f64; ALL],
        kl: &out [f64; 1],
        rate: f64,
        clip: f64,
        kl_max: f64,
        epochs: usize,
        mb: usize,
        n: usize,
    ) {
        static steps: [u32; 1] = 0;
        static scale: [f64; 1] = 65536.0;
        static first: [f64; 1] = 1.0;                   // 0.9 and 0.999 to the power of `steps`
        static second: [f64; 1] = 1.0;
        static m: [f64; ALL] = 0.0;
        static v: [f64; ALL] = 0.0;
        let index: [u32; epochs * n];
        let g: [f64; ALL];
        let norm: [f64; 1];
        copy(&order, &out index);
        let lr: [f64; 1] = rate;                        // a setter touches this node only
        kl[0] = 0.0;
        for epoch in 0..epochs {
            if kl[0] <= kl_max {
                for at in (epoch * n..(epoch + 1) * n).step_by(mb) {
                    Minibatch {
                        index: &index[at..at + mb], x: &x, action: &action, advantage: &advantage, goal: &goal, old: &old,
                        p: &p, scale: &scale, g: &out g, kl: &out kl, clip, n,
                    };
                    norm[0] = (0..ALL).map(|i| g[i] * g[i]).sum();
                    if norm[0].is_finite() {
                        steps[0] += 1;
                        first[0] *= 0.9;
                        second[0] *= 0.999;
                        kernel for i in 0..ALL {
                            let whole = norm[0].sqrt() / scale[0];
                            let slope = g[i] / scale[0] * (0.5 / (whole + 1e-6)).min(1.0);
                            m[i] = 0.9 * m[i] + 0.1 * slope;
                            v[i] = 0.999 * v[i] + 0.001 * slope * slope;
                            p[i] -= lr[0] * (m[i] / (1.0 - first[0])) / ((v[i] / (1.0 - second[0])).sqrt() + 1e-8);
                        }
                    } else {
                        scale[0] *= 0.5;
                    }
                }
            }
        }
    }
}

/// What the script draws.
struct Rollout {
    x: Vec<f64>,
    action: Vec<u32>,
    advantage: Vec<f64>,
    goal: Vec<f64>,
    old: Vec<f64>,
    parameters: Vec<f64>,
}

fn numbers(seed: u64, count: usize, times: f64) -> Vec<f64> {
    uniform(seed, count).into_iter().map(|x| f64::from(x) * times).collect()
}

impl Rollout {
    fn new() -> Self {
        let parameters = [
            numbers(1000, HIDDEN * IN, 1.0),
            numbers(1001, HIDDEN, 0.1),
            numbers(1002, ACTIONS * HIDDEN, 1.0),
            numbers(1003, ACTIONS, 0.1),
            numbers(1004, HIDDEN, 1.0),
            numbers(1005, 1, 0.1),
        ]
        .concat();
        let choose = |x: f64| (((x + 0.5) * ACTIONS as f64) as u32).min(ACTIONS as u32 - 1);
        let (x, noise) = (numbers(1010, SAMPLES * IN, 4.0), numbers(1014, SAMPLES, 0.1));
        let action: Vec<u32> = numbers(1013, SAMPLES, 1.0).into_iter().map(choose).collect();
        let chances = x.chunks(IN).zip(&action).map(|(x, action)| chance(&parameters, x, *action as usize));
        let old = chances.zip(noise).map(|(chance, noise)| chance + noise).collect();
        Self { x, action, advantage: numbers(1011, SAMPLES, 4.0), goal: numbers(1012, SAMPLES, 2.0), old, parameters }
    }
}

/// The logarithm of an action's probability.
fn chance(p: &[f64], x: &[f64], action: usize) -> f64 {
    let dot = |weights: &[f64], with: &[f64]| weights.iter().zip(with).map(|(a, b)| a * b).sum::<f64>();
    let h: Vec<f64> = (0..HIDDEN).map(|j| (p[B1 + j] + dot(&p[W1 + j * IN..], x)).tanh()).collect();
    let logits: Vec<f64> = (0..ACTIONS).map(|a| p[B2 + a] + dot(&p[W2 + a * HIDDEN..], &h)).collect();
    logits[action] - logits.iter().map(|logit| logit.exp()).sum::<f64>().ln()
}

/// Each epoch visits the samples in an order of its own.
fn order(epoch: usize) -> impl Iterator<Item = u32> {
    (0..SAMPLES).map(move |i| ((i * 5 + 7 * epoch) % SAMPLES) as u32)
}

fn build(device: &Device, rollout: &Rollout, epochs: usize, kl_max: f64) -> graph_runtime::Result<Update<'static>> {
    let arguments = UpdateArgs {
        x: device.buffer_from(&rollout.x)?,
        action: device.buffer_from(&rollout.action)?,
        advantage: device.buffer_from(&rollout.advantage)?,
        goal: device.buffer_from(&rollout.goal)?,
        old: device.buffer_from(&rollout.old)?,
        order: device.pinned_from(&(0..epochs).flat_map(order).collect::<Vec<_>>())?,
        p: device.buffer_from(&rollout.parameters)?,
        kl: device.zeros(1)?,
        rate: 3e-3,
        clip: 0.2,
        kl_max,
        epochs,
        mb: MINIBATCH,
        n: SAMPLES,
    };
    arguments.build(device)
}

fn run(device: &Device, report: &mut Report) -> Result {
    let reference = Reference::parse(include_str!("../../references/programs/ppo.json"))?;
    let rollout = Rollout::new();
    for (at, name, kl_max) in [(0, "whole", 1e9), (1, "stopped", 1e-3)] {
        let mut graph = build(device, &rollout, EPOCHS, kl_max)?;
        graph.launch()?;
        report.close(&format!("{name}: parameters"), &graph.p().to_vec()?, reference.get(name)?, 1e-9);
        report.close(&format!("{name}: steps"), &graph.steps().to_vec()?, &reference.get("steps")?[at..=at], 0.0);
        report.close(&format!("{name}: KL"), &graph.kl().to_vec()?, &reference.get("kl")?[at..=at], 1e-9);
    }
    let mut graph = build(device, &rollout, EPOCHS, 1e9)?;
    let mut epoch = build(device, &rollout, 1, 1e9)?;
    let whole = || {
        graph.launch()?;
        graph.synchronize()
    };
    report.time_against("four epochs", whole, "one launch an epoch, the host decides", || {
        for number in 0..EPOCHS {
            epoch.order_mut()?.write_from(&order(number).collect::<Vec<_>>())?;
            epoch.launch()?;
            if epoch.kl().to_vec()?[0] > 1e9 {
                break;
            }
        }
        Ok(true)
    })
}
