//! A graph before it is built: no device, no lengths.

use std::fmt;

use graph_ir::analysis::dependences_of_all;
use graph_ir::export;
use graph_ir::export::data::GraphData;
use graph_ir::finding::Finding;
use graph_ir::model::Program as Model;
use graph_ir::rules;

use crate::page;
use crate::program::{Program, decode};

/// The graph as the macro sees it.
#[derive(Clone, Debug)]
pub struct Outline {
    program: Model,
}

/// A check that the macro cannot decide and that every build decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    finding: Finding,
    text: String,
}

impl Outline {
    /// The outline of a generated program; empty if the macro and this crate are of different versions, which a build says.
    #[doc(hidden)]
    pub fn of<P: Program>() -> Self {
        let program = decode(P::DATA).unwrap_or_else(|error| {
            tracing::error!("{error}");
            Model::default()
        });
        Self::of_model(program)
    }

    /// The outline of a program that is not encoded.
    #[doc(hidden)]
    pub fn of_model(program: Model) -> Self {
        Self { program }
    }

    /// The graph in Graphviz's language.
    pub fn to_dot(&self) -> String {
        export::dot(&self.program, &dependences_of_all(&self.program))
    }

    /// The graph as a Mermaid flowchart.
    pub fn to_mermaid(&self) -> String {
        export::mermaid(&self.program, &dependences_of_all(&self.program))
    }

    /// The graph as data, as [`PlanView::data`](crate::PlanView::data); lengths are expressions, and no edge is left out because it
    /// follows from others.
    pub fn data(&self) -> GraphData {
        export::describe(&self.program, &dependences_of_all(&self.program)).data
    }

    /// [`Outline::data`] as JSON. The reference has the schema.
    pub fn to_json(&self) -> String {
        page::json(&self.data())
    }

    /// [`Outline::data`] as one page for a browser, which loads nothing else.
    pub fn to_html(&self) -> String {
        page::html(&self.data())
    }

    /// What each build checks with the lengths and values that it is given.
    pub fn obligations(&self) -> Vec<Obligation> {
        let open = rules::check(&self.program).open;
        open.into_iter().map(|finding| Obligation { text: finding.text(&self.program), finding }).collect()
    }
}

impl fmt::Display for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&export::text(&self.data()))
    }
}

impl Obligation {
    /// What would be refused.
    pub fn finding(&self) -> &Finding {
        &self.finding
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
