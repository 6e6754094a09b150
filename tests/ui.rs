//! What the compiler says about blocks that are refused, and that near-misses of each rule are accepted.
//!
//! `TRYBUILD=overwrite cargo test -p tests --test ui` writes the messages anew: read each as the user who got it.

use std::path::Path;

const BLOCKS: [&str; 17] = [
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
    derived_structs;
    dropped_at_the_end;
    events_of_passes;
    generic_graphs_inside;
    generics;
    geometry_with_comparisons;
    graphs_inside;
    graphs_inside_bodies;
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
    launch_attributes;
    limits_of_geometry;
    lists_by_index;
    lists_of_transients;
    loaded_functions;
    loops_that_end;
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
