//! Graphs as JSON, and as one page for a browser that holds everything it needs.

use graph_ir::export::data::GraphData;
use graph_ir::export::layout::{Layout, layout};
use serde::Serialize;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One after another: each uses what is in front of it.
const SCRIPT: &str = concat!(
    include_str!("script/draw.js"),
    include_str!("script/view.js"),
    include_str!("script/marks.js"),
    include_str!("script/panels.js"),
    include_str!("script/keys.js"),
);

/// What the page's script draws.
#[derive(Serialize)]
struct Drawing<'d> {
    graph: &'d GraphData,
    layout: &'d Layout,
}

/// The data as JSON, with line breaks.
pub(crate) fn json(data: &GraphData) -> String {
    written(serde_json::to_string_pretty(data))
}

/// The page.
pub(crate) fn html(data: &GraphData) -> String {
    let drawing = written(serde_json::to_string(&Drawing { graph: data, layout: &layout(data) }));
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + drawing.len());
    let mut rest = PAGE;
    let parts = [("{{title}}", escaped(&data.name)), ("{{style}}", STYLE.to_owned())];
    let parts = parts.into_iter().chain([("{{data}}", inert(&drawing)), ("{{script}}", SCRIPT.to_owned())]);
    for (name, part) in parts {
        let (before, behind) = rest.split_once(name).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&part);
        rest = behind;
    }
    page + rest
}

/// Strings and numbers under names: writing them cannot fail.
fn written(json: serde_json::Result<String>) -> String {
    json.unwrap_or_default()
}

/// JSON that HTML finds no tag in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use graph_ir::analysis::dependences_of_all;
    use graph_ir::export::describe;
    use graph_ir::model::Mode;
    use graph_ir::testing::{Builder, number, overwrite, update};

    use super::*;

    const HOSTILE: &str = "</script><!--<script>{{script}}\"&";

    fn data() -> GraphData {
        let mut block = Builder::new(HOSTILE);
        let x = block.parameter(HOSTILE, Mode::Update, number(4));
        block.kernel(HOSTILE, &[overwrite(x)]);
        block.kernel("second", &[update(x)]);
        let program = block.finish();
        describe(&program, &dependences_of_all(&program)).data
    }

    #[test]
    fn names_stay_inside_the_data() {
        let page = html(&data());
        let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
        let (drawing, _) = rest.split_once("</script>").unwrap();
        let read: serde_json::Value = serde_json::from_str(drawing).unwrap();
        assert_eq!(serde_json::from_value::<GraphData>(read["graph"].clone()).unwrap(), data());
        assert_eq!(read["layout"]["nodes"].as_array().unwrap().len(), 2);
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        assert!(page.contains("<title>&lt;/script&gt;&lt;!--&lt;script&gt;{{script}}&quot;&amp;</title>"));
    }

    #[test]
    fn a_page_loads_nothing() {
        let page = html(&data()).replace("http://www.w3.org/2000/svg", "");
        for loads in ["http:", "https:", "src=", "@import", "<link", "url(//", "fetch(", "import "] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
}
