//! The graphs of every example on the stand-in for the driver: what is built is what `plan()` says, node for node and edge for edge, no
//! rule is broken, and nothing is left. Nothing is computed there, so the examples' own checks are not looked at.

#![expect(clippy::unwrap_used, reason = "tests may panic")]
#![allow(clippy::print_stdout, reason = "tests say what they looked at")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use examples::canny::CannyArgs;
use examples::migration::{Problem, Solution, declared, pass, whole, written};
use examples::programs::{ALL, Report};
use graph_runtime::__private::{Launchable, Launcher};
use graph_runtime::{Device, Result};
use stand_in_driver::{Config, Finish, StandIn};
use tests::stand_in::beside_plan::last_launch;
use tests::stand_in::child::{child, configured, live, settle};
use tests::stand_in::expected::Driver;

/// Programs that need what the stand-in does not have.
const APART: &[(&str, &str)] = &[("data_parallel", "NCCL"), ("decoder", "templates")];

/// Those that await launches: for them work is over as soon as it is launched, where else it is once somebody waits in the driver. Then they
/// ask for the time between events, which no launch has recorded.
const AWAITS: &[&str] = &["server"];

/// Looks at each graph that is launched.
struct Beside {
    stand_in: StandIn,
    driver: Driver,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    wrong: Vec<String>,
    /// Launches that were compared.
    compared: usize,
}

impl Launcher for Beside {
    fn launch(&self, graph: &mut dyn Launchable) -> Result<()> {
        graph.launch()?;
        let report = self.stand_in.report().unwrap();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.wrong.extend(last_launch(&report, self.driver, &graph.plan()));
        told.wrong.extend(report.violations.iter().map(|one| format!("{one:?}")));
        told.compared += 1;
        self.stand_in.forget().unwrap();
        Ok(())
    }
}

/// A step of the migration.
type Solve = fn(&Device, &Problem) -> Result<Solution>;

type Run = Box<dyn Fn(&Device)>;

/// Every example, by name.
fn examples() -> BTreeMap<&'static str, Run> {
    let mut all: BTreeMap<&str, Run> = BTreeMap::new();
    for program in ALL.iter().filter(|program| !APART.iter().any(|(apart, _)| *apart == program.name)) {
        all.insert(
            program.name,
            Box::new(|device| match (program.run)(device, &mut Report::default()) {
                Ok(()) => assert!(!AWAITS.contains(&program.name), "{} measures what nobody recorded", program.name),
                Err(error) => assert!(
                    AWAITS.contains(&program.name) && error.to_string().contains("measur"),
                    "{}: {error}",
                    program.name
                ),
            }),
        );
    }
    all.insert(
        "canny",
        Box::new(|device| {
            let (image, edges) = (device.zeros(40 * 30).unwrap(), device.zeros(40 * 30).unwrap());
            CannyArgs { image, edges, low: 50, high: 100, w: 40, h: 30 }.build(device).unwrap().launch().unwrap();
        }),
    );
    let steps: [(&str, Solve); 4] =
        [("declared", declared::solve), ("pass", pass::solve), ("whole", whole::solve), ("written", written::solve)];
    for (name, solve) in steps {
        let problem = Problem { b: vec![0.25; 31], tolerance: 1e-12, limit: 50 };
        all.insert(name, Box::new(move |device| drop(solve(device, &problem).unwrap())));
    }
    all
}

fn all(stand_in: &StandIn, version: i32) {
    let config = Config { version, ..Config::default() };
    let device = configured(stand_in, &config);
    let mut compared = BTreeMap::new();
    for (name, run) in examples() {
        let finish = if AWAITS.contains(&name) { Finish::AtOnce } else { config.finish };
        stand_in.configure(&Config { finish, ..config.clone() }).unwrap();
        let beside = Beside {
            stand_in: StandIn::attach().unwrap(),
            driver: Driver { version, by_mps: false },
            told: Mutex::default(),
        };
        let beside = Arc::new(beside);
        run(&device.clone().launching(Arc::<Beside>::clone(&beside)));
        let told = beside.told.lock().unwrap_or_else(PoisonError::into_inner);
        let violations = stand_in.report().unwrap().violations;
        assert!(violations.is_empty() && told.wrong.is_empty(), "{name}: {violations:?}\n{}", told.wrong.join("\n"));
        assert!(told.compared > 0, "{name} launches nothing");
        compared.insert(name, told.compared);
        stand_in.forget().unwrap();
    }
    println!("launches compared with their plans: {compared:?}");
    settle(&device);
    let mut left = live(stand_in);
    left.sort_unstable();
    left.dedup();
    assert_eq!(left, ["context", "module", "stream"]);
}

#[test]
fn every_example_is_built_as_planned() {
    child(|stand_in| all(stand_in, 13000));
}

/// `if` with `else` is a row of two conditionals there.
#[test]
fn every_example_is_built_as_planned_for_cuda_12_8() {
    child(|stand_in| all(stand_in, 12080));
}

/// `match` is a row of conditionals too, and a body is never empty.
#[test]
fn every_example_is_built_as_planned_for_cuda_12_4() {
    child(|stand_in| all(stand_in, 12040));
}
