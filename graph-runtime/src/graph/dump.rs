//! Shows what the environment variable `CUDA_GRAPH_DUMP` asks for.

use std::fmt::Display;
use std::sync::Arc;

use graph_ir::export::dump::{Form, Target, asked, write};
use graph_ir::model::Program;

use super::Outline;
use crate::device::Device;
use crate::plan::{PlanView, SharedPlan};

/// At each build.
pub(super) fn graph(symbolic: &Program, plan: &SharedPlan, device: &Device) {
    if let Some(target) = asked(Form::Outline) {
        let outline = Outline::of_model(symbolic.clone());
        let files = || [("json", outline.to_json()), ("html", outline.to_html()), ("dot", outline.to_dot())];
        show(&target, &format!("{}.outline", symbolic.name), &outline, files);
    }
    if let Some(target) = asked(Form::Plan) {
        let plan = PlanView::new(Arc::clone(plan), device.backend().by_launches(plan));
        let files = || [("json", plan.to_json()), ("html", plan.to_html()), ("dot", plan.to_dot())];
        show(&target, &format!("{}.plan", symbolic.name), &plan, files);
    }
}

fn show<const N: usize>(
    target: &Target,
    name: &str,
    text: &dyn Display,
    files: impl Fn() -> [(&'static str, String); N],
) {
    match target {
        Target::Error => eprint!("{text}"),
        Target::Folder(folder) => {
            let (text, files) = (text.to_string(), files());
            let files = files.iter().map(|(end, file)| (*end, file.as_str()));
            write(folder, name, &files.chain([("txt", text.as_str())]).collect::<Vec<_>>());
        }
    }
}
