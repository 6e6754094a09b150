//! What the derives refuse, and what they make.

use quote::quote;

use super::{buffers, device_value};

/// The headline, the notes and the help; nothing if it is accepted.
fn refusal(tokens: &proc_macro2::TokenStream) -> String {
    let text = tokens.to_string();
    text.split_once("compile_error ! { \"").map_or_else(String::new, |(_, rest)| rest.to_owned())
}

#[test]
fn buffers_are_for_structs_with_names() {
    let cases = [
        (
            quote!(
                enum E {
                    A,
                }
            ),
            "`Buffers` cannot be derived for an enum",
        ),
        (quote!(union U { a: u32 }), "`Buffers` cannot be derived for a union"),
        (
            quote!(
                struct S(Buffer<f32>);
            ),
            "`Buffers` cannot be derived for a tuple struct",
        ),
        (
            quote!(
                struct S;
            ),
            "`Buffers` cannot be derived for a struct without fields",
        ),
        (
            quote!(
                struct S<'a> {
                    a: &'a Buffer<f32>,
                }
            ),
            "`Buffers` cannot be derived for a struct that borrows",
        ),
        (
            quote!(
                struct S {
                    #[value(3)]
                    a: Config,
                }
            ),
            "`#[value]` has no arguments",
        ),
    ];
    for (item, headline) in cases {
        let text = refusal(&buffers(item.clone()));
        assert!(text.starts_with(headline), "{item}: {text}");
    }
    assert_eq!(
        refusal(&buffers(quote!(
            struct S<T: Element> {
                w: Buffer<T>,
                #[value]
                c: Config,
            }
        ))),
        ""
    );
}

#[test]
fn device_values_have_a_layout() {
    let cases = [
        (
            quote!(
                #[repr(C)]
                enum E {
                    A,
                }
            ),
            "`DeviceValue` cannot be derived for an enum",
        ),
        (
            quote!(
                struct S {
                    a: u32,
                }
            ),
            "`S` has no layout that a kernel knows",
        ),
        (
            quote!(
                #[repr(align(16))]
                struct S {
                    a: u32,
                }
            ),
            "`S` has no layout that a kernel knows",
        ),
        (
            quote!(
                #[repr(C, packed)]
                struct S {
                    a: u32,
                }
            ),
            "`DeviceValue` cannot be derived for a packed struct",
        ),
    ];
    for (item, headline) in cases {
        let text = refusal(&device_value(item.clone()));
        assert!(text.starts_with(headline), "{item}: {text}");
    }
    assert_eq!(
        refusal(&device_value(quote!(
            #[repr(C, align(16))]
            struct S<T> {
                a: T,
                b: bool,
            }
        ))),
        ""
    );
}
