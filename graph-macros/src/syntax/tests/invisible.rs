//! What a `macro_rules` hands on: fragments in invisible groups, punctuation without its joints.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

use super::{all_said, dump, tokens};

/// Replaces `$name` by the named fragment in an invisible group, and takes the spacing off `<` and `>`.
fn expanded(source: &str, fragments: &[(&str, &str)]) -> TokenStream {
    substitute(source.parse().unwrap(), fragments)
}

fn substitute(tokens: TokenStream, fragments: &[(&str, &str)]) -> TokenStream {
    let mut out = Vec::new();
    let mut iter = tokens.into_iter().peekable();
    while let Some(token) = iter.next() {
        out.push(match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let name = iter.next().unwrap().to_string();
                let (_, text) = fragments.iter().find(|(known, _)| *known == name).unwrap();
                TokenTree::Group(Group::new(Delimiter::None, text.parse().unwrap()))
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), '<' | '>') => {
                TokenTree::Punct(Punct::new(punct.as_char(), Spacing::Alone))
            }
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), substitute(group.stream(), fragments)))
            }
            other => other,
        });
    }
    out.into_iter().collect()
}

#[test]
fn fragments_stand_wherever_their_tokens_may() {
    let source = "$vis graph $name(x: &mut [$ty; n], y: $buffer, n: $ty) {
        $k<<<$grid, 1>>>(&$x, &out $x, $grid * 2, $argument);
        k<<<$shift, $grid>>>(&$x[$grid..]);
        'a: while $condition limit $grid every $two { $k<<<1, $grid>>>(); } after 'b;
        let t: [$ty; $grid] = $grid;
        $x[0] = $grid;
        copy(&$x, &out y);
        loop { if $condition { break; } }
        if $condition $block
    }";
    let fragments = [
        ("vis", ""),
        ("name", "Name"),
        ("ty", "f32"),
        ("buffer", "&out [u8; 4]"),
        ("k", "m::k"),
        ("grid", "a + b"),
        ("shift", "a >> 1"),
        ("x", "x"),
        ("argument", "&mut z"),
        ("condition", "x[0] > limit"),
        ("two", "2"),
        ("block", "{ drop(x); }"),
    ];
    let (block, diagnostics) = tokens(expanded(source, &fragments));
    assert_eq!(all_said(&diagnostics), Vec::<String>::new());
    let graph = &block.graphs[0];
    assert_eq!(graph.name, "Name");
    let parameters: Vec<String> = graph.parameters.iter().map(dump::parameter).collect();
    assert_eq!(parameters, ["x: &mut [f32; n]", "y: &out [u8; 4]", "n: value f32"]);
    assert_eq!(
        dump::statements(&graph.body),
        [
            "m::k<a+b,1>(& x, &out x, a+b*2, &mut z)",
            "k<a>>1,a+b>(& x[a+b..])",
            "'a: while x[0]>limit limit a+b every 2 {m::k<1,a+b>()} after 'b",
            "buffer t: [f32; a+b] = a+b",
            "x[0] = a+b",
            "copy & x &out y",
            "loop {} until x[0]>limit",
            "if x[0]>limit {drop x}",
        ]
    );
}

#[test]
fn an_invisible_group_keeps_its_precedence() {
    let (block, _) = tokens(expanded("graph G() { k<<<$n * 2, 1>>>(); }", &[("n", "a + b")]));
    let super::super::ast::StatementKind::Launch(launch) = &block.graphs[0].body[0].kind else { panic!("a launch") };
    let syn::Expr::Binary(product) = &launch.grid else { panic!("a product") };
    assert!(matches!(product.op, syn::BinOp::Mul(_)));
}
