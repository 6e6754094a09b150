//! Builds of `#[explicit]` graphs that only numbers can decide.

use graph_runtime::prelude::*;
use tests::kernels::basic;

#[cuda_module("kernels/basic.cu")]
unsafe mod counted {
    #[effects]
    pub fn copy_scaled(from: &[f32; n], mut to: Out<[f32; n]>, by: f32, n: u32) {
        let _ = n;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from * by);
    }
}

cuda_graph! {
    #[explicit]
    graph Parts(x: &mut [f32; n], a: usize, b: usize) {
        'low: fill(&out x[..a], 1.0);
        'high: fill(&out x[b..], 2.0);
    }

    #[explicit]
    graph Counted(x: &[f32; n], y: &mut [f32; n], z: &mut [f32; n]) {
        'one: counted::copy_scaled<<<1, 64>>>(&x, &out y, 0.5, n as u32);
        'two: counted::copy_scaled<<<1, 64>>>(&x, &out z, 0.5, n as u32);
    }

    #[explicit]
    graph Passes(x: &mut [f32; n], y: &mut [f32; n], m: usize) {
        for i in 0..m {
            'one: basic::add_constant<<<1, 64>>>(&mut x[i..n], 1.0, (n - i) as u32);
        }
        'last: copy(&x, &out y);
    }

    #[explicit]
    graph Outer(x: &mut [f32; n], y: &mut [f32; n], wide: bool) {
        'first: if wide { 'add: basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32); }
        Inner { x: &mut x, y: &mut y };
    }

    graph Inner(x: &mut [f32; n], y: &mut [f32; n]) {
        basic::add_constant<<<1, 64>>>(&mut x, 1.0, n as u32);
        copy(&x, &out y);
    }
}

/// The text of what a build refuses.
fn refusal<T>(built: Result<T>) -> String {
    match built {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_expressions_leave_open_is_an_obligation_and_numbers_decide_it() -> Result<()> {
    let obligations: Vec<_> = Parts::outline().obligations().iter().map(ToString::to_string).collect();
    let open: Vec<_> = obligations.iter().filter(|text| text.contains("CG0302")).collect();
    assert_eq!(open.len(), 1, "{obligations:?}");
    assert!(
        open[0].contains("`high` may write elements of `x` that `low` writes too, and no `after` orders them"),
        "{open:?}"
    );
    let device = Device::cpu();
    let mut x = device.zeros::<f32>(10)?;
    let mut graph = PartsArgs { x: &mut x, a: 4, b: 4 }.build(&device)?;
    graph.launch()?;
    assert_eq!(graph.x().to_vec()?, [[1.0; 4].as_slice(), &[2.0; 6]].concat());
    let refused = graph.set_a(5).unwrap_err().to_string();
    assert!(
        refused.contains("`high` writes `x`, which `low` writes too, and no `after` orders them [CG0302]"),
        "{refused}"
    );
    assert!(
        refused.contains("`low` writes `x[0..5]` here") && refused.contains("`high` writes `x[4..10]`"),
        "{refused}"
    );
    graph.launch()?;
    assert_eq!(
        graph.x().to_vec()?,
        [[1.0; 4].as_slice(), &[2.0; 6]].concat(),
        "a setter that is refused changes nothing"
    );
    Ok(())
}

#[test]
fn effects_are_known_at_the_build() -> Result<()> {
    let device = Device::cpu();
    let x = device.zeros::<f32>(10)?;
    let [mut y, mut z] = [device.zeros::<f32>(10)?, device.zeros::<f32>(10)?];
    let refused = refusal(CountedArgs { x: &x, y: &mut y, z: &mut z }.build(&device));
    assert!(
        refused.contains("kernel `one` and kernel `two` both have effects, and no `after` orders them"),
        "{refused}"
    );
    assert!(refused.contains("write `after 'one` at the end of `'two`"), "{refused}");
    Ok(())
}

#[test]
fn what_is_named_is_what_an_after_can_name() -> Result<()> {
    let device = Device::cpu();
    let [mut x, mut y] = [device.zeros::<f32>(10)?, device.zeros::<f32>(10)?];
    let refused = refusal(PassesArgs { x: &mut x, y: &mut y, m: 3 }.build(&device));
    assert_eq!(refused.matches("CG0302").count(), 1, "{refused}");
    assert!(refused.contains("put `'passes:` in front of `for`"), "{refused}");
    assert_eq!(refusal(PassesArgs { x: &mut x, y: &mut y, m: 0 }.build(&device)), "accepted");
    let refused = refusal(OuterArgs { x: &mut x, y: &mut y, wide: true }.build(&device));
    assert_eq!(refused.matches("CG0302").count(), 1, "{refused}");
    assert!(refused.contains("write `after 'first` at the end of this statement"), "{refused}");
    assert_eq!(refusal(OuterArgs { x: &mut x, y: &mut y, wide: false }.build(&device)), "accepted");
    Ok(())
}
