//! Expansions, read back; and the words of every refusal.

mod agreement;
mod expansion;
mod file_faults;
mod recovery;
mod refusals;

use std::io;
use std::path::Path;

use proc_macro2::TokenStream;

use super::Files;

/// A package in `/package`.
struct Package(&'static [(&'static str, &'static [u8])]);

impl Files for Package {
    fn root(&self) -> &Path {
        Path::new("/package")
    }

    fn out_dir(&self) -> Option<&Path> {
        self.0.iter().any(|(path, _)| path.starts_with("out/")).then(|| Path::new("/package/out"))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let path = path.strip_prefix("/package").unwrap().to_str().unwrap();
        let file = self.0.iter().find(|(name, _)| *name == path);
        file.map(|(_, contents)| contents.to_vec())
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let folder = folder.strip_prefix("/package").unwrap().to_str().unwrap();
        let names = self.0.iter().filter_map(|(path, _)| path.strip_prefix(folder)?.strip_prefix('/'));
        names.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }
}

const PACKAGE: Package = Package(&[
    ("kernels/k.cu", b"extern \"C\" __global__ void k(ARGUMENTS) {}\n__global__ void mangled(int n) {}\ntemplate <typename T, int N> __global__ void generic(const T *x, int n) {}"),
    ("kernels/waits.cu", b"extern \"C\" __global__ void k(int n) { asm volatile(\"griddepcontrol.wait;\" ::: \"memory\"); }"),
    ("kernels/sets.cu", b"extern \"C\" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);\nextern \"C\" __global__ void k(ARGUMENTS) { cudaGraphSetConditional(c, n > 1); }"),
    ("kernels/setter.cu", b"extern \"C\" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle c, unsigned v);\n__global__ void k(cudaGraphConditionalHandle c) { cudaGraphSetConditional(c, 0); }"),
    ("kernels/setter.ptx", b".extern .func cudaGraphSetConditional(.param .b64 c, .param .b64 v);\n.visible .entry k(.param .u64 c) { ret; }"),
    ("kernels/typed.cu", b"\nextern \"C\" __global__ void k(const float *x, float *y, unsigned n) {}"),
    ("kernels/rich.cu", b"#include \"rect.cuh\"\nextern \"C\" __global__ void __launch_bounds__(WIDTH * 8) k(Rect crop, const float4 *f, const __half *h,\n    const Rect *r, List<float> l, cudaGraphConditionalHandle c, const void *v, const unsigned char *b) {\n    __shared__ float tile[WIDTH][WIDTH]; cudaGraphSetConditional(c, 1);\n}\nextern \"C\" __global__ void big(int n) { __shared__ double a[6144], b; }"),
    ("kernels/rect.cuh", b"#define WIDTH 32\nstruct Rect { unsigned x, y, width, height; };\ntemplate <class T> struct List { T *items; unsigned long long count; };"),
    ("kernels/typed.ptx", b".visible .entry k(\n.param .u64 x,\n.param .f32 by) { ret; }"),
    ("kernels/folders.cu", b"#include \"d.cuh\"\n#include <e.cuh>\n#include <cuda_fp16.h>\nextern \"C\" __global__ void k(int n) {}"),
    ("kernels/d.cuh", b"#define D 1"),
    ("inc/d.cuh", b"#define D 2"),
    ("inc/e.cuh", b"#define E 1"),
    ("out/made.ptx", b".visible .entry k(\n.param .u32 n) { ret; }"),
    ("kernels/many.cu", b"#include \"inc/a.cuh\"\n#include <cuda_fp16.h>\n#include \"absent.h\"\nextern \"C\" __global__ void k(int n) {}"),
    ("kernels/inc/a.cuh", b"#include \"b.cuh\"\nextern \"C\" __global__ void in_header(int n) {}"),
    ("kernels/inc/b.cuh", b"#include \"../inc/a.cuh\"\n#define B 1"),
    ("kernels/twice.cu", b"#include \"b.cuh\"\n#include \"inc/a.cuh\"\nextern \"C\" __global__ void k(int n) {}"),
    ("kernels/b.cuh", b"#define B 2"),
    ("kernels/macro.cu", b"#define K(name) \\\n extern \"C\" __global__ void name(int n)\nK(k) {}"),
    ("kernels/k.ptx", b".visible .entry k(\n.param .u32 n) { ret; }"),
    ("kernels/k.cubin", b"\x7fELF\xff"),
    ("kernels/latin.cu", b"// \xe9"),
    ("kernels/empty.cu", b"// nothing"),
]);

fn expand(attribute: &str, item: &str) -> TokenStream {
    super::expand(attribute.parse().unwrap(), &item.parse().unwrap(), &PACKAGE)
}

/// As a person would format it; fails if the expansion is not Rust.
fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// The text of every error of an expansion, in order.
fn errors(tokens: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(tokens).unwrap();
    file.items.into_iter().flat_map(errors_of).collect()
}

fn errors_of(item: syn::Item) -> Vec<String> {
    match item {
        syn::Item::Macro(item) => error_of(&item.mac),
        syn::Item::Const(item) => match *item.expr {
            syn::Expr::Block(block) => block.block.stmts.into_iter().flat_map(errors_of_statement).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn errors_of_statement(statement: syn::Stmt) -> Vec<String> {
    match statement {
        syn::Stmt::Item(item) => errors_of(item),
        syn::Stmt::Macro(statement) => error_of(&statement.mac),
        _ => Vec::new(),
    }
}

/// What `compile_error!` says; nothing of what is for editors.
fn error_of(invocation: &syn::Macro) -> Vec<String> {
    if invocation.path.segments.last().is_some_and(|name| name.ident == "__half_typed") {
        return Vec::new();
    }
    vec![invocation.parse_body::<syn::LitStr>().unwrap().value()]
}

/// The errors of one declaration in a module of `kernels/k.cu`.
fn declared(declaration: &str) -> Vec<String> {
    errors(expand("\"kernels/k.cu\"", &format!("unsafe mod m {{ {declaration} }}")))
}

/// The errors of the attribute with these arguments, in front of a module with the kernel `k`.
fn attribute(arguments: &str) -> Vec<String> {
    errors(expand(arguments, "unsafe mod m { pub fn k(n: u32); }"))
}
