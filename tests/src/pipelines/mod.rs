//! One file per thing that the language can say.

// Its derived code asserts too.
pub mod modules;

#[macro_use]
mod looked_at;

pub mod arithmetic;
pub mod assertions;
pub mod bounded;
pub mod bounded_shapes;
pub mod boxes;
pub mod branches;
pub mod by_value;
pub mod cached;
pub mod calls;
pub mod conditions;
pub mod elements;
pub mod explicit;
pub mod generic;
pub mod geometry;
pub mod given_back;
pub mod guide;
pub mod hosts;
pub mod indices;
pub mod inside;
pub mod jacobi;
pub mod kernels;
pub mod launches;
pub mod libraries;
pub mod lists;
pub mod loops;
pub mod memory;
pub mod relays;
pub mod scalars;
pub mod starts;
pub mod statics;
pub mod structs;
pub mod swapped;
pub mod tables;
pub mod updates;
pub mod values;
pub mod wide;

use graph_runtime::prelude::*;

/// What a pipeline does with a device: panics if a value is not the one that it must be.
pub type Pipeline = fn(&Device) -> Result<()>;

/// Every pipeline, by name.
pub const ALL: &[(&str, Pipeline)] = &[
    ("chain", arithmetic::chain),
    ("fan_out", arithmetic::fan_out),
    ("side_by_side", arithmetic::side_by_side),
    ("callbacks", calls::callbacks),
    ("objects", calls::objects),
    ("failing_callbacks", calls::failing_callbacks),
    ("events", calls::events),
    ("captures", calls::captures),
    ("products", libraries::products),
    ("triangles", libraries::triangles),
    ("library_calls_in_loops", libraries::loops),
    ("transforms", libraries::transforms),
    ("tiles", boxes::tiles),
    ("cube", boxes::cube),
    ("frames", boxes::frames),
    ("elements", boxes::elements),
    ("lookups", boxes::lookups),
    ("tile_products", boxes::tile_products),
    ("moved", boxes::moved),
    ("rows", boxes::rows),
    ("if_else", branches::if_else),
    ("else_if", branches::else_if),
    ("match_arms", branches::match_arms),
    ("idle_arms", branches::idle_arms),
    ("turncoats", branches::turncoats),
    ("host_if", branches::host_if),
    ("nested", branches::nested),
    ("explicit", explicit::explicit),
    ("explicit_passes", explicit::passes),
    ("set_by_a_kernel", conditions::set_by_a_kernel),
    ("set_with_a_limit", conditions::set_with_a_limit),
    ("set_within_a_loop", conditions::set_within_a_loop),
    ("overlap", launches::overlap),
    ("early", launches::early),
    ("attributes", launches::attributes),
    ("instances", modules::instances),
    ("namespaces", modules::namespaces),
    ("fixed_block", modules::fixed_block),
    ("requirements", modules::requirements),
    ("generic", generic::generic),
    ("two_dimensions", geometry::two_dimensions),
    ("three_dimensions", geometry::three_dimensions),
    ("shared_memory", geometry::shared_memory),
    ("guide", guide::filtered),
    ("horner", hosts::horner),
    ("ping_pong", hosts::ping_pong),
    ("matching_tables", tables::matching),
    ("iterations_inside", inside::iterations),
    ("left_to_numbers", indices::left_to_numbers),
    ("bounded_inside", bounded::bounded_inside),
    ("filled_lists", lists::filled),
    ("swapped_by_passes", swapped::by_passes),
    ("swapped_in_loops", swapped::in_loops),
    ("swapped_back_home", swapped::back_home),
    ("swapped_further_in", swapped::further_in),
    ("given_back", given_back::given_back),
    ("rebound_whole", given_back::rebound_whole),
    ("rebound_in_structs", given_back::rebound_in_structs),
    ("host_match", hosts::host_match),
    ("loops_in_passes", hosts::loops_in_passes),
    ("passes_in_every", hosts::passes_in_every),
    ("lossy_casts", hosts::lossy_casts),
    ("inside", inside::inside),
    ("inside_passes", inside::inside_passes),
    ("inside_bodies", inside::inside_bodies),
    ("inside_lists", inside::inside_lists),
    ("inside_statics", inside::inside_statics),
    ("inside_generics", inside::inside_generics),
    ("inside_structs", inside::inside_structs),
    ("inside_shapes", inside::inside_shapes),
    ("inside_indices", inside::inside_indices),
    ("inside_callbacks", inside::inside_callbacks),
    ("inside_lengths", inside::inside_lengths),
    ("tables", lists::tables),
    ("tiled", lists::tiled),
    ("slots", lists::slots),
    ("list_alias", lists::alias),
    ("jacobi", jacobi::jacobi),
    ("ends_of_types", indices::ends_of_types),
    ("strides_of_the_host", indices::strides_of_the_host),
    ("narrow_indices", indices::narrow_indices),
    ("outside", indices::outside),
    ("axpy", kernels::axpy),
    ("heat", kernels::heat),
    ("divisors", kernels::divisors),
    ("relu", kernels::relu),
    ("conjugate_gradient", kernels::conjugate_gradient),
    ("reductions", kernels::reductions),
    ("loops_in_kernels", kernels::loops_in_kernels),
    ("windows", kernels::windows),
    ("inner_reductions", kernels::inner_reductions),
    ("match_in_kernels", kernels::match_in_kernels),
    ("count_down", loops::count_down),
    ("limits", loops::limits),
    ("every", loops::every),
    ("inner_loops", loops::inner_loops),
    ("copies", memory::copies),
    ("fills", memory::fills),
    ("pinned", memory::pinned),
    ("swaps", memory::swaps),
    ("zero_sizes", memory::zero_sizes),
    ("fibonacci", scalars::fibonacci),
    ("between", scalars::between),
    ("statics", statics::statics),
    ("swapped_statics", statics::swapped_statics),
    ("static_lengths", statics::static_lengths),
    ("pinned_statics", statics::pinned_statics),
    ("assertions", assertions::assertions),
    ("assertions_in_bodies", assertions::assertions_in_bodies),
    ("switches", assertions::switches),
    ("bounded", bounded::bounded),
    ("bounded_ranges", bounded::bounded_ranges),
    ("bounded_values", bounded::bounded_values),
    ("network", structs::network),
    ("fields", structs::fields),
    ("paired", structs::paired),
    ("shared_layers", structs::shared_layers),
    ("structs_passed_on", structs::passed_on),
    ("layers", elements::layers),
    ("shifted", elements::shifted),
    ("descend", tables::descend),
    ("numbered", tables::numbered),
    ("repeated", tables::repeated),
    ("rebound", tables::rebound),
    ("bounded_shapes", bounded_shapes::bounded_shapes),
    ("bounded_columns", bounded_shapes::bounded_columns),
    ("bounded_inner", bounded_shapes::bounded_inner),
    ("bounded_halves", bounded_shapes::bounded_halves),
    ("arms_by_value", by_value::arms_by_value),
    ("earlier_arms", by_value::earlier_arms),
    ("no_arm", by_value::no_arm),
    ("nested_arms", by_value::nested_arms),
    ("every_by_host", by_value::every_by_host),
    ("names_in_kernels", by_value::names_in_kernels),
    ("labels_in_kernels", by_value::labels_in_kernels),
    ("what_is_touched", updates::what_is_touched),
    ("how_much_is_touched", updates::how_much_is_touched),
    ("buckets", cached::buckets),
    ("relay", relays::relay),
    ("all_to_all", relays::all_to_all),
    ("starts", starts::starts),
    ("literals", values::literals),
    ("setters", values::setters),
];
