use proc_macro2::{TokenStream, TokenTree};

use super::{PACKAGE, errors, expand, pretty};

#[test]
fn all_faults_are_reported_and_the_rest_is_typed() {
    let item = "mod m {
        pub fn k(x: &[f32; m], y: Out<[f32]>, n: u32) { y[0] = x[0]; }
        pub fn absent(z: u32 u32, x: &[f32; n], n: u32);
        pub fn
        pub fn mangled(n: u32) -> f32 {}
        let;
        fn also(x: &f32) {}
    }";
    let tokens = expand("\"kernels/k.cu\", defined(N)", item);
    let heads: Vec<String> =
        errors(tokens.clone()).iter().map(|text| text.lines().next().unwrap_or_default().to_owned()).collect();
    let wanted = [
        "module `m` makes a promise and needs `unsafe` [CG0004]",
        "`defined` is no argument of `cuda_module` [CG0004]",
        "no value parameter named `m` in this kernel [CG0105]",
        "buffer `y` has no length [CG0004]",
        "`kernels/k.cu` has no kernel named `absent` [CG0104]",
        "expected `,`",
        "a kernel returns nothing [CG0004]",
    ];
    for wanted in wanted {
        assert_eq!(heads.iter().filter(|head| *head == wanted).count(), 1, "{wanted}\n{heads:#?}");
    }
    let text = pretty(tokens);
    for wanted in ["pub fn k(", "pub fn absent(", "pub fn mangled(", "fn also(x: &f32) {}", "y[0] = x[0];"] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    assert_eq!(text.matches("parameters: &[]").count(), 3, "{text}");
}

#[test]
fn a_refused_parameter_keeps_the_number_of_parameters() {
    let text = pretty(expand("\"kernels/k.cu\"", "unsafe mod m { pub fn k(x: &f32, n: u32) { let y = n; } }"));
    assert!(text.contains("n: u32,\n") && text.contains("impl ::core::marker::Sized"), "{text}");
    assert!(text.contains("let y = n;"), "{text}");
}

#[test]
fn without_a_file_the_module_is_there() {
    let text = pretty(expand("\"absent.cu\"", "pub unsafe mod m { pub fn k(n: u32); }"));
    assert!(text.contains("Ptx(\"\")") && text.contains("pub fn k("), "{text}");
    assert!(!text.contains("include_str"), "{text}");
}

/// All beginnings of a token stream, where an open group may end anywhere.
fn prefixes(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut all = vec![TokenStream::new()];
    for (index, token) in tokens.iter().enumerate() {
        let before: TokenStream = tokens[..index].iter().cloned().collect();
        if let TokenTree::Group(group) = token {
            all.extend(prefixes(group.stream()).into_iter().map(|inner| {
                let mut prefix = before.clone();
                prefix.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
                prefix
            }));
        }
        all.push(tokens[..=index].iter().cloned().collect());
    }
    all
}

#[test]
fn half_typed_modules_expand() {
    let item = "#[doc = \"\"] pub(crate) unsafe mod m { use a::b; #[cfg(x)] pub fn k(x: &mut [f32; n * (2 + N)], y: Out<[T<U>; 1]>, \
                mut n: u32) { y[0] = x[0]; } pub fn k2(x: &out [f32; 1], c: Condition) -> u32; struct S; fn f(x: u32) {} }";
    for prefix in prefixes(item.parse().unwrap()) {
        let complete = prefix.to_string().contains("mod m {");
        let expanded = super::super::expand("\"kernels/k.cu\"".parse().unwrap(), &prefix, &PACKAGE);
        assert!(!complete || expanded.to_string().contains("mod m {"), "{prefix}\n{expanded}");
    }
    for prefix in prefixes("\"kernels/k.cu\", options(\"a\", \"b\"), define(N = 4)".parse().unwrap()) {
        super::super::expand(prefix, &"unsafe mod m { pub fn k(n: u32); }".parse().unwrap(), &PACKAGE);
    }
}
