//! CG0220: what a launch asks for, and what the kernel declares itself, is no more shared memory than a block has on any device (rule R049).

use graph_ir::code::Code;
use proc_macro2::TokenStream;
use quote::quote;

use super::super::ast::Kernel;

/// Bytes of a block's shared memory on the devices that have most of it. What one device has is compared when a graph is built.
const MOST: u64 = 227 * 1024;

/// The most bytes that a launch may ask for, and what rustc says of more.
pub(super) fn constants(kernel: &Kernel) -> TokenStream {
    let own = kernel.facts.shared.as_ref().filter(|(bytes, _)| (1..MOST).contains(bytes));
    let most = MOST - own.map_or(0, |(bytes, _)| *bytes);
    let text = too_much(kernel, own, most);
    quote! {
        #[doc(hidden)]
        pub const __MOST_SHARED: u64 = #most;

        #[doc(hidden)]
        pub const __LARGE_SHARED: &'static str = #text;
    }
}

fn too_much(kernel: &Kernel, own: Option<&(u64, String)>, most: u64) -> String {
    let (name, code) = (&kernel.name, Code::SHARED);
    let own = own.map(|(bytes, place)| format!("\nnote: `{place}` declares {bytes} bytes itself")).unwrap_or_default();
    format!(
        "this launch asks for more shared memory than a block of kernel `{name}` can have [{code}]{own}\nnote: no device gives a block more \
         than {MOST} bytes\nhelp: ask for at most {most} bytes, and keep the rest in a buffer"
    )
}
