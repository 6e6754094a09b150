//! CG0223: all parameters of a kernel together are no more bytes than a launch takes (rule R046).

use graph_ir::code::Code;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::super::ast::{Form, Kernel};
use super::declared::{Known, known};

/// Bytes that a launch takes, from CUDA 12.1 on.
const MOST: u64 = 32_764;
/// Bytes of an array of which nobody passes too many.
const FEW: u64 = 256;

/// The bytes of all parameters for rustc to add up, the most that they may be, and what is said of more; nothing where all of them are
/// plainly few.
pub(in crate::module) fn too_many(kernel: &Kernel) -> Option<(TokenStream, u64, String)> {
    let large = |ty: &Type| match known(ty, &kernel.generics) {
        Known::Scalar(_) => false,
        Known::Array(scalar, count) => scalar.bytes.saturating_mul(count) > FEW,
        Known::Parameter | Known::Other => true,
    };
    let mut values = kernel.values().map(|(_, _, ty)| ty).filter(|ty| large(ty)).peekable();
    if !kernel.generics.params.is_empty() || values.peek().is_none() {
        return None;
    }
    let bytes = kernel.parameters.iter().map(|parameter| match &parameter.form {
        Form::Value(ty) => quote!(::core::mem::size_of::<#ty>()),
        Form::List { .. } => quote!(16),
        Form::Buffer { .. } | Form::Condition(_) => quote!(8),
        Form::Unknown => quote!(0),
    });
    let (name, code) = (&kernel.name, Code::PARAMETERS);
    let text = format!(
        "the parameters of kernel `{name}` have more than {MOST} bytes together [{code}]\nnote: a launch takes no more\nhelp: pass what is \
         large in a buffer, and not by value"
    );
    Some((quote!(0 #(+ #bytes)*), MOST, text))
}
