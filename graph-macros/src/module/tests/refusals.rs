use super::{declared, errors, expand};

#[track_caller]
fn refuses(declaration: &str, wanted: &[&str]) {
    assert_eq!(declared(declaration), wanted);
}

#[test]
fn a_module_needs_its_promise() {
    let errors = errors(expand("\"kernels/k.cu\"", "pub mod m { pub fn k(n: u32); }"));
    let wanted = "module `m` makes a promise and needs `unsafe` [CG0004]\n\
        note: the promise: for all values of its parameters, each kernel touches only the declared elements, and only as declared\n\
        note: it only reads `&`, it writes all of `Out` before it reads any, and it updates `Atomic` only by atomics that commute\n\
        help: check that the kernel file honours this, and write `unsafe mod m`";
    assert_eq!(errors, [wanted]);
}

#[test]
fn only_modules_with_a_body() {
    let function = expand("\"kernels/k.cu\"", "fn f() {}");
    assert!(function.to_string().ends_with("fn f () { }"));
    let wanted = "expected a module [CG0004]\nhelp: write `#[cuda_module(\"kernels/name.cu\")] unsafe mod name { … }`";
    assert_eq!(errors(function), [wanted]);
    let wanted = "module `m` has no body [CG0004]\nhelp: declare the kernels here: `unsafe mod m { … }`";
    assert_eq!(errors(expand("\"kernels/k.cu\"", "unsafe mod m;")), [wanted]);
}

#[test]
fn missing_lengths_show_how_to_write_them() {
    let note = "note: the length says how many elements the kernel touches, in its own value parameters";
    for (form, cure) in [
        ("&[f32]", "&[f32; n]"),
        ("&mut [f32]", "&mut [f32; n]"),
        ("Out<[f32]>", "Out<[f32; n]>"),
        ("Atomic<[f32]>", "Atomic<[f32; n]>"),
    ] {
        let wanted = format!(
            "buffer `x` has no length [CG0004]\n{note}\nhelp: write it as `x: {cure}`, where `n` is a value parameter"
        );
        refuses(&format!("pub fn k(x: {form}, n: u32);"), &[&wanted]);
    }
}

#[test]
fn forms_of_parameters() {
    let expected = "expected `&[T; n]`, `&mut [T; n]`, `Out<[T; n]>`, `Atomic<[T; n]>` or a value [CG0004]";
    refuses(
        "pub fn k(x: &f32, n: u32);",
        &[&format!("{expected}\nhelp: write it as `x: &[f32; n]`, where `n` is a value parameter")],
    );
    refuses(
        "pub fn k(x: Out<f32>, n: u32);",
        &[&format!("{expected}\nhelp: write it as `x: Out<[f32; n]>`, where `n` is a value parameter")],
    );
    refuses(
        "pub fn k(f: fn(u32));",
        &[&format!("{expected}\nnote: a value is plain data: a number, `bool`, or an array of them")],
    );
    refuses(
        "pub fn k(x: *mut f32);",
        &[
            "a pointer does not say what the kernel touches [CG0004]\nhelp: write it as `x: &mut [f32; n]`, where `n` is a value parameter",
        ],
    );
    refuses(
        "pub fn k(x: [f32]);",
        &["a buffer needs a mode [CG0004]\nhelp: write it as `x: &[f32; n]`, where `n` is a value parameter"],
    );
    refuses(
        "pub fn k(x: [f32; n], n: u32);",
        &[
            "buffer `x` needs a mode [CG0004]\nhelp: write `x: &[f32; n]`, `&mut [f32; n]`, `Out<[f32; n]>` or `Atomic<[f32; n]>`",
        ],
    );
    refuses(
        "pub fn k(x: Out, n: u32);",
        &["`Out` does not say of what [CG0004]\nhelp: write it as `x: Out<[f32; n]>`, where `n` is a value parameter"],
    );
    refuses(
        "pub fn k(x: &out [f32; n], n: u32);",
        &["`&out` is the mode of an argument, not of a parameter [CG0004]\nhelp: declare it as `x: Out<[f32; n]>`"],
    );
    refuses("pub fn k(x: &'a [f32; 1]);", &["a kernel's parameter needs no lifetime [CG0004]\nhelp: remove `'a`"]);
}

#[test]
fn what_is_no_kernel_signature() {
    refuses(
        "pub fn k(&self, n: u32);",
        &["a kernel has no `self` [CG0004]\nhelp: declare what the kernel receives: `x: &[f32; n], n: u32`"],
    );
    refuses(
        "pub fn k(n: u32, ...);",
        &["a kernel's parameters must all be named [CG0004]\nhelp: declare each parameter: `name: type`"],
    );
    refuses(
        "pub fn k(_: u32);",
        &["expected the name of a parameter [CG0004]\nnote: errors, plans and lengths speak of parameters by name"],
    );
    refuses(
        "pub fn k(n: u32) -> f32;",
        &["a kernel returns nothing [CG0004]\nhelp: write the result to a buffer: `result: Out<[f32; 1]>`"],
    );
    refuses(
        "pub async fn k(n: u32);",
        &[
            "a kernel's declaration cannot be `async` [CG0004]\nnote: launches of graphs are asynchronous already\nhelp: remove `async`",
        ],
    );
    refuses(
        "pub unsafe extern \"C\" fn k(n: u32);",
        &[
            "a kernel's declaration cannot be `unsafe` [CG0004]\nnote: the `unsafe` of the module is the promise for all its kernels\nhelp: remove `unsafe`",
            "a kernel's declaration cannot be `extern` [CG0004]\nnote: all kernels are called in CUDA's own way\nhelp: remove `extern`",
        ],
    );
    refuses(
        "pub fn k(n: u32, n: u32);",
        &["two parameters are named `n` [CG0103]\nnote: the first one is here (unknown:1:25)"],
    );
    refuses("pub fn k(n: u32) -> () {}", &[]);
}

#[test]
fn lengths_name_value_parameters() {
    let note = "note: a length is checked before the launch, from the values that the kernel itself receives";
    refuses(
        "pub fn k(x: &[f32; widht], width: u32);",
        &[&format!(
            "no value parameter named `widht` in this kernel [CG0105]\n{note}\nhelp: a value parameter with a similar name exists: `width`"
        )],
    );
    refuses(
        "pub fn k(x: &[f32; len], n: u32);",
        &[&format!(
            "no value parameter named `len` in this kernel [CG0105]\n{note}\nhelp: pass it to the kernel too: `len: u32`"
        )],
    );
    refuses(
        "pub fn k(x: &[f32; 1], y: &[f32; x.len()], n: u32);",
        &["`.len(…)` cannot stand in a length [CG0004]\nnote: the methods that can: `div_ceil`, `next_multiple_of`, \
           `next_power_of_two`, `pow`, `min`, `max`, `abs_diff`, `saturating_sub`"],
    );
    refuses(
        "pub fn k(x: &[f32; 1], y: &[f32; x], n: u32);",
        &[
            "`x` is a buffer, and a length needs a value [CG0105]\nhelp: add a value parameter to the kernel, and write its name: `x_length: u32`",
        ],
    );
}

#[test]
fn lengths_are_arithmetic() {
    let note = "note: a length is made of value parameters, constants, integers, `+ - * / % << >>` and methods like `div_ceil`";
    let what = "expected arithmetic on the kernel's value parameters [CG0004]";
    refuses("pub fn k(x: &[f32; 1.5], n: u32);", &[&format!("{what}\n{note}")]);
    refuses("pub fn k(x: &[f32; if n { 1 } else { 2 }], n: u32);", &[&format!("{what}\n{note}")]);
    refuses(
        "pub fn k(x: &[f32; n & 1], n: u32);",
        &[&format!("this operator cannot stand in a length [CG0004]\n{note}")],
    );
    refuses(
        "pub fn k(x: &[f32; n as u64], n: u32);",
        &[&format!("in a length, everything is `usize` [CG0004]\n{note}")],
    );
    refuses(
        "pub fn k(x: &[f32; n.div_cel(4)], n: u32);",
        &["`.div_cel(…)` cannot stand in a length [CG0004]\nhelp: a method with a similar name can: `div_ceil`"],
    );
    refuses("pub fn k(x: &[f32; f((n as usize) << 2) + super::N % TILE], n: u32);", &[]);
}

#[test]
fn shapes_add_up() {
    let dimensions = "a buffer has one to three dimensions [CG0004]\n\
        help: write `[T; n]`, `[T; (height, width)]` or `[T; (depth, height, width)]`";
    let distances = |form: &str| {
        format!(
            "a distance for each dimension but the last [CG0004]\nhelp: write `{form}`: elements from one row to the next"
        )
    };
    refuses("pub fn k(x: &[f32; (n,)], n: u32);", &[dimensions]);
    refuses("pub fn k(x: &[f32; (n, n, n, n)], n: u32);", &[dimensions]);
    refuses("pub fn k(x: &[f32; (n, n, n).pitch(n)], n: u32);", &[&distances(".pitch(slice, row)")]);
    refuses("pub fn k(x: &[f32; (n, n).pitch(n, n)], n: u32);", &[&distances(".pitch(row)")]);
    refuses("pub fn k(x: &mut [f32; (h, w).pitch(p)], y: Out<[u8; (2, h, w)]>, h: u32, w: u32, p: u32);", &[]);
}

#[test]
fn settings_in_a_form_of_their_own() {
    let sizes = "help: write `#[block(256)]`, or two or three sizes: `#[block(32, 8)]`";
    let one = "help: write `#[requires(n % 4 == 0)]`; several may stand one below another";
    for (attribute, wanted) in [
        ("block", format!("expected the sizes of a block [CG0004]\n{sizes}")),
        ("block(1, 2, 3, 4)", format!("expected the sizes of a block [CG0004]\n{sizes}")),
        ("requires(n % 4 == 0, n > 1)", format!("expected one condition [CG0004]\n{one}")),
        (
            "waits(1)",
            "expected nothing or `first` [CG0004]\n\
             help: write `#[waits]`, or `#[waits(first)]` if no block lets others begin before it has waited"
                .to_owned(),
        ),
        (
            "early",
            "expected the names of buffers [CG0004]\n\
             help: write `#[early(w, b)]`, with the buffers that it reads before it waits"
                .to_owned(),
        ),
        ("effects = 1", "`#[effects]` has no arguments [CG0004]\nhelp: write `#[effects]`".to_owned()),
        ("effects] #[effects", "`#[effects]` stands twice on one kernel [CG0004]\nhelp: remove one of them".to_owned()),
        (
            "name(k)",
            "expected the kernel's name in its file [CG0004]\nhelp: write `#[name = \"namespace::kernel\"]`".to_owned(),
        ),
        (
            "name = \"a::k<float>\"",
            "`a::k<float>` is no name of a kernel [CG0004]\n\
             help: name the template alone, and give its parameters to the function: `pub fn k<T: Element>(…)`"
                .to_owned(),
        ),
    ] {
        refuses(&format!("#[{attribute}] pub fn k(n: u32);"), &[&wanted]);
    }
}

#[test]
fn what_is_read_before_the_wait() {
    let refuses = |names: &str, parameters: &str, wanted: &[&str]| {
        let item = format!("unsafe mod m {{ #[waits] #[early({names})] pub fn k({parameters}); }}");
        assert_eq!(errors(expand("\"kernels/waits.cu\"", &item)), wanted);
    };
    let help = |name: &str| format!("help: remove `{name}` from `#[early(…)]`");
    refuses(
        "n",
        "n: u32",
        &[&format!(
            "`n` is no buffer that is read early [CG0004]\n\
         note: a value is no memory that the kernel would have to wait for\n{}",
            help("n")
        )],
    );
    refuses(
        "y",
        "y: Out<[f32; n]>, n: u32",
        &[&format!(
            "`y` is no buffer that is read early [CG0004]\nnote: what the kernel writes, it writes behind its wait\n{}",
            help("y")
        )],
    );
    refuses(
        "weigth",
        "weight: &[f32; n], n: u32",
        &["no parameter is named `weigth` [CG0004]\n\
        help: a parameter with a similar name exists: `weight`"],
    );
    refuses("w, w", "w: &[f32; n], n: u32", &["`w` is named twice [CG0004]\nhelp: remove one of them"]);
    let item = "unsafe mod m { #[early(x)] pub fn k(x: &[f32; n], y: &mut [f32; n], n: u32); }";
    assert_eq!(
        errors(expand("\"kernels/k.cu\"", item)),
        ["`#[early]` stands on a kernel that does not wait [CG0004]\n\
          note: it names what a kernel reads before `griddepcontrol.wait`; one without it is never begun early\n\
          help: declare the kernel `#[waits]` too, or remove `#[early]`"]
    );
}

#[test]
fn settings_that_are_fine() {
    refuses("#[block(512)] #[requires(n % 4 == 0)] #[requires(grid.x > 1)] #[effects] pub fn k(n: u32);", &[]);
    refuses("#[requires(x.len() >= n as usize)] pub fn k(x: &[f32], n: u32);", &[]);
    let item = "unsafe mod m { #[name = \"k\"] pub fn other(c: Condition, n: u32); }";
    assert!(errors(expand("\"kernels/sets.cu\"", item)).is_empty());
}

#[test]
fn a_requirement_stands_for_the_length_that_it_speaks_of() {
    let note = "note: the length says how many elements the kernel touches, in its own value parameters";
    let wanted = format!(
        "buffer `y` has no length [CG0004]\n{note}\nhelp: write it as `y: &[f32; n]`, where `n` is a value parameter"
    );
    refuses("#[requires(x.len() >= n as usize)] pub fn k(x: &[f32], y: &[f32], n: u32);", &[&wanted]);
}

#[test]
fn templates_and_what_only_looks_like_one() {
    refuses(
        "pub fn k<T: Element>(x: &[T; n], n: u32);",
        &["kernel `k` is generic, but `kernels/k.cu` has no template of that name [CG0104]\n\
           help: write `template <typename T>` in front of it in the kernel file, or declare it without parameters"],
    );
    refuses("pub fn generic<T: Element, const N: usize>(x: &[T; n * N], n: u32);", &[]);
    refuses(
        "pub fn generic(x: &[f32; n], n: u32);",
        &["kernel `generic` is a template in `kernels/k.cu` [CG0104]\n\
           help: declare its parameters, in the template's order: `fn generic<T: Element>(…)`"],
    );
    refuses(
        "pub fn generic<'a, T: Element>(x: &[T; n], n: u32);",
        &["a kernel has no lifetimes [CG0004]\nhelp: remove `'a`"],
    );
    let errors = errors(expand("\"kernels/k.ptx\"", "unsafe mod m { pub fn k<T: Element>(x: &[T; n], n: u32); }"));
    assert_eq!(
        errors,
        ["kernel `k` is generic, and `kernels/k.ptx` is compiled already [CG0104]\n\
          note: a template is instantiated by NVRTC, from CUDA C++\n\
          help: name the `.cu` file, or declare one kernel per instance, each with its own `#[name = \"…\"]`"]
    );
}

#[test]
fn a_kernel_that_waits_does_so_in_its_file() {
    let wanted = "kernel `k` is declared `#[waits]`, and nothing in `kernels/k.cu` waits [CG0214]\n\
        note: a kernel that overlaps with those before it must wait for them before it touches memory\n\
        help: execute `griddepcontrol.wait` in the kernel, in CUDA C++ `asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");`";
    refuses("#[waits] pub fn k(x: &[f32; n], y: &mut [f32; n], n: u32);", &[wanted]);
    let item = "unsafe mod m { #[waits] pub fn k(n: u32); }";
    assert!(errors(expand("\"kernels/waits.cu\"", item)).is_empty());
    assert!(errors(expand("\"kernels/k.cubin\"", item)).is_empty(), "what cannot be seen is believed");
}

#[test]
fn a_condition_is_set_in_its_file() {
    let wanted = "kernel `k` takes a condition, and nothing in `kernels/k.cu` sets one [CG0216]\n\
        note: a condition that is not set stays as it is, and its loop never ends\n\
        help: call `cudaGraphSetConditional(condition, value)` from one thread of the kernel";
    refuses("pub fn k(x: &[f32; n], c: Condition, n: u32);", &[wanted]);
    let item = "unsafe mod m { pub fn k(x: &[f32; n], c: Condition, n: u32); }";
    assert!(errors(expand("\"kernels/sets.cu\"", item)).is_empty());
    assert!(errors(expand("\"kernels/k.cubin\"", item)).is_empty(), "what cannot be seen is believed");
    assert_eq!(errors(expand("\"kernels/k.ptx\"", item)).len(), 1);
}

#[test]
fn one_condition_a_kernel() {
    refuses(
        "pub fn k(a: Condition, b: Condition);",
        &["a kernel has one condition at most [CG0004]\nnote: the first one is here (unknown:1:28)"],
    );
}

#[test]
fn what_is_still_to_come_is_refused_by_name() {
    for (declaration, headline) in [
        (
            "pub fn k(x: Atomic<[f32; (h, w)]>, h: u32, w: u32);",
            "an `Atomic` buffer with a shape is not supported yet [CG0001]",
        ),
        ("#[derive(Clone, DeviceValue, Copy)] pub struct S;", "`#[derive(DeviceValue)]` is not supported yet [CG0001]"),
    ] {
        let errors = declared(declaration);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].lines().next(), Some(headline));
        assert!(errors[0].contains("\nhelp: "), "{errors:?}");
    }
    let item = "unsafe mod m { #[derive(Clone, DeviceValue, Copy)] pub struct S; }";
    let text = expand("\"kernels/k.cu\"", item).to_string();
    assert!(text.contains("# [derive (Clone , Copy)]"), "{text}");
}
