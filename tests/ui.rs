//! What the compiler says about blocks that are refused, and that near-misses of each rule are accepted.
//!
//! `TRYBUILD=overwrite cargo test -p tests --test ui` writes the messages anew: read each as the user who got it.

use std::path::Path;

const BLOCKS: [&str; 18] = [
    "syntax",
    "names",
    "access",
    "order",
    "memory",
    "conditional",
    "copies",
    "kernels",
    "types",
    "module",
    "derive",
    "structs",
    "editor",
    "calls",
    "inside",
    "crates",
    "warn",
    "hard",
];

#[test]
fn refused() -> std::io::Result<()> {
    offer("kernels/basic.cu")?;
    offer("kernels/boxes.cu")?;
    offer("kernels/limits.cu")?;
    offer("kernels/scale.ptx")?;
    offer("kernels/setter.cu")?;
    offer("kernels/unread.cu")?;
    offer("kernels/jacobi.cu")?;
    let cases = trybuild::TestCases::new();
    for block in BLOCKS {
        cases.compile_fail(format!("ui/{block}/*.rs"));
    }
    Ok(())
}

/// The cases are compiled as a package of their own, below the target folder: `#[cuda_module]` looks for kernel files there.
fn offer(kernels: &str) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("trybuild/tests/kernels");
    std::fs::create_dir_all(&folder)?;
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(kernels);
    std::fs::copy(&from, folder.join(from.file_name().unwrap_or_default())).map(drop)
}

/// What is accepted is part of this program, so that one run of the compiler is enough; then each `main` runs.
macro_rules! accepted {
    ($($name:ident;)*) => {
        #[allow(warnings, clippy::pedantic, reason = "written to be compiled")]
        mod ui {
            pub(crate) mod pass {
                $(pub(crate) mod $name;)*
            }
        }

        mod accepted {
            pub(crate) const ALL: &[&str] = &[$(stringify!($name)),*];

            $(#[test]
            fn $name() -> graph_runtime::Result<()> {
                crate::ui::pass::$name::main()
            })*
        }
    };
}

accepted! {
    after_a_whole_body;
    after_a_whole_for;
    after_along_the_data;
    aliases_that_agree;
    arms;
    arms_by_value;
    assertions;
    bodies_of_kernels;
    borrowed_buffer_is_back;
    bounded_shapes;
    bounded_values;
    boxes;
    boxes_side_by_side;
    buffer_named_like_its_kernel;
    callbacks_beside_bodies;
    calls;
    captured_calls;
    conditions_set_by_kernels;
    contextual_words;
    copies;
    declared_as_in_the_file;
    deep_and_long;
    derived_structs;
    dropped_at_the_end;
    events_of_passes;
    explicit_graphs;
    generic_graphs_inside;
    generics;
    geometry_with_comparisons;
    graphs_inside;
    graphs_inside_bodies;
    graphs_of_another_crate;
    host_expressions;
    host_side;
    imported_kernels;
    in_macro_rules;
    initialised_by_a_later_kernel;
    initialised_in_parts;
    initialised_on_every_path;
    instances_of_templates;
    items_of_two_lists;
    kernel_settings;
    kernels_in_the_block;
    labels_are_constants;
    large_block;
    launch_attributes;
    limits_of_geometry;
    lists_by_index;
    lists_of_transients;
    loaded_functions;
    loops_that_end;
    mailboxes;
    names_in_other_scopes;
    objects_used_alone;
    optional_statements;
    out_parameters_written;
    owned_and_shared_buffers;
    passes_between_tests;
    ranges_up_to_the_end;
    reductions;
    results_that_are_read;
    rounds;
    scalars_of_every_kind;
    several_graphs;
    shared_by_graphs;
    statics;
    statics_in_bodies;
    struct_fields;
    swaps;
    swaps_of_lists;
    tickets_and_replicas;
    unread_kernels;
    values_for_the_host;
    warnings_that_are_not_given;
    writes_to_what_may_be_written;
}

#[test]
fn every_accepted_case_is_listed() -> std::io::Result<()> {
    let mut files = Vec::new();
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/pass"))? {
        files.extend(file?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    files.sort();
    assert_eq!(files, accepted::ALL);
    Ok(())
}

/// A code in a message is the name of its page. Each stands in a message that is compared, or heads a rule with tests of its own.
#[test]
fn every_code_stands_in_a_message_and_has_a_page() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for folder in
        ["ui", "gpu", "cpu", "cases", "golden", "src", "../graph-runtime/src", "../graph-ir/src", "../graph-macros/src"]
    {
        collect(&root.join(folder), &mut texts)?;
    }
    let mut pages = Vec::new();
    for file in std::fs::read_dir(root.join("../graph-runtime/src/errors"))? {
        let name = file?.file_name().to_string_lossy().into_owned();
        pages.extend(name.strip_suffix(".md").map(str::to_owned));
    }
    for page in &pages {
        let shown =
            texts.iter().any(|text| text.contains(&format!("[{page}]")) || text.contains(&format!("//! {page}: ")));
        assert!(shown || page == "CG0900", "no message with {page} is tested");
    }
    for text in &texts {
        for code in text.split("[CG").skip(1).filter_map(|rest| rest.split_once(']')).map(|(number, _)| number) {
            let is_code = code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
            assert!(!is_code || pages.contains(&format!("CG{code}")), "CG{code} has no page");
        }
    }
    Ok(())
}

/// The texts of messages and of tests below a folder.
fn collect(folder: &Path, texts: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, texts)?;
        } else if path.extension().is_some_and(|extension| extension == "stderr" || extension == "rs") {
            texts.push(std::fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
