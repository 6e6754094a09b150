//! What each code behind an error means: why the check is there, a block that is refused and one that is accepted.
//!
//! Codes stand in brackets behind the headline of an error, of the compiler as of `build`. 00xx is syntax, 01xx names, 02xx arguments and
//! geometry, 03xx order, 04xx memory, 05xx conditionals, 06xx copies, 07xx kernels in the block,
//! 08xx objects, callbacks, captures and events, 09xx internal.
//!
//! | code | about |
//! |---|---|
//! | [`CG0001`] | a form of the language that is not supported yet |
//! | [`CG0002`] | a statement that the block's grammar does not have |
//! | [`CG0003`] | an expression that cannot run on the device |
//! | [`CG0004`] | a declaration that a `#[cuda_module]` cannot hold |
//! | [`CG0005`] | a block that is nested too deeply, or an expression that is too long |
//! | [`CG0101`] | a name that no buffer of the graph has |
//! | [`CG0102`] | a label that no statement of the region has |
//! | [`CG0103`] | one name for two buffers, values or labels |
//! | [`CG0104`] | a kernel file that is missing, or that lacks a declared kernel |
//! | [`CG0105`] | a length that names no value parameter of its kernel |
//! | [`CG0106`] | a parameter that nothing in its graph uses |
//! | [`CG0110`] | a shape with a size that nothing gives |
//! | [`CG0201`] | a write through a read-only parameter |
//! | [`CG0202`] | one buffer twice in a launch, and written |
//! | [`CG0203`] | a buffer with fewer elements than a kernel touches, or than its parameter declares |
//! | [`CG0204`] | a grid or block that no device accepts |
//! | [`CG0205`] | a range that leaves its buffer or runs backwards |
//! | [`CG0206`] | a value that its receiver cannot hold, or a negative amount |
//! | [`CG0207`] | a host expression that reads an element on the device |
//! | [`CG0208`] | a value with a bound where the graph's shape is decided |
//! | [`CG0210`] | a box or an index of other dimensions than its buffer |
//! | [`CG0211`] | a box in pieces for a kernel that takes elements in one piece |
//! | [`CG0212`] | a launch that does not meet a kernel's requirement |
//! | [`CG0213`] | clusters that do not fill the grid, or are too large |
//! | [`CG0214`] | a kernel that is declared `#[waits]` and does not wait |
//! | [`CG0215`] | a launch with another block than the declaration fixes |
//! | [`CG0216`] | a kernel that takes a `Condition`, in a file that sets none |
//! | [`CG0217`] | a declaration that disagrees with the kernel file |
//! | [`CG0218`] | a block with more threads than the kernel file allows |
//! | [`CG0219`] | a kernel that declares more shared memory than a kernel gets |
//! | [`CG0220`] | a launch with more shared memory than a block has |
//! | [`CG0221`] | a kernel whose signature could not be read |
//! | [`CG0222`] | a function that sets conditions, declared with other parameters |
//! | [`CG0223`] | a kernel with more bytes of parameters than a launch takes |
//! | [`CG0301`] | statements that wait for each other |
//! | [`CG0302`] | statements of an `#[explicit]` graph that conflict and that no `after` orders |
//! | [`CG0303`] | `after` across the border of a body |
//! | [`CG0305`] | an `after` that orders nothing |
//! | [`CG0306`] | a wait that a second buffer would spare |
//! | [`CG0401`] | a read that no write reaches |
//! | [`CG0402`] | a buffer used outside the block that declares it |
//! | [`CG0403`] | a result that nobody reads |
//! | [`CG0404`] | a read that only some paths have written |
//! | [`CG0405`] | an `&out` parameter that is not written on every path |
//! | [`CG0406`] | a buffer used after `drop`, or dropped in another region |
//! | [`CG0407`] | a `static` in a body, or whose length would change |
//! | [`CG0408`] | a buffer that nothing uses |
//! | [`CG0409`] | a mailbox that is used otherwise than element by element |
//! | [`CG0501`] | a host callback or an event inside a conditional body |
//! | [`CG0502`] | a loop that nothing can end |
//! | [`CG0503`] | `limit` that is no multiple of `every` |
//! | [`CG0504`] | a `swap` that leaves the names exchanged |
//! | [`CG0505`] | an arm that can never run |
//! | [`CG0506`] | a loop that only a comparison of floats can end |
//! | [`CG0511`] | a condition that no kernel, or more than one, sets in a pass |
//! | [`CG0512`] | a graph with conditions, for a driver that has no conditional nodes |
//! | [`CG0601`] | a copy between ranges of different lengths |
//! | [`CG0602`] | a copy between overlapping ranges |
//! | [`CG0701`] | an element that several indices of a kernel in the block touch, and one of them writes |
//! | [`CG0702`] | what the body of a kernel in the block cannot hold |
//! | [`CG0703`] | a `kernel for` that writes no buffer |
//! | [`CG0801`] | a host callback on device memory |
//! | [`CG0802`] | an object that is used otherwise than its parameter allows |
//! | [`CG0803`] | a captured call that fails, or that holds what its place does not allow |
//! | [`CG0804`] | a captured call without a form for the CPU, built on the CPU |
//! | [`CG0811`] | a graph inside a graph that is given other lengths or shapes than it declares |
//! | [`CG0812`] | a graph that contains itself |
//! | [`CG0900`] | a fault of `cuda_graph!` itself |

macro_rules! pages {
    ($($code:ident;)*) => {
        $(
            #[doc = include_str!(concat!(stringify!($code), ".md"))]
            pub struct $code;
        )*

        /// Every page with its text, in the order of the codes.
        #[cfg(test)]
        const ALL: &[(&str, &str)] = &[$((stringify!($code), include_str!(concat!(stringify!($code), ".md"))),)*];
    };
}

pages! {
    CG0001;
    CG0002;
    CG0003;
    CG0004;
    CG0005;
    CG0101;
    CG0102;
    CG0103;
    CG0104;
    CG0105;
    CG0106;
    CG0110;
    CG0201;
    CG0202;
    CG0203;
    CG0204;
    CG0205;
    CG0206;
    CG0207;
    CG0208;
    CG0210;
    CG0211;
    CG0212;
    CG0213;
    CG0214;
    CG0215;
    CG0216;
    CG0217;
    CG0218;
    CG0219;
    CG0220;
    CG0221;
    CG0222;
    CG0223;
    CG0301;
    CG0302;
    CG0303;
    CG0305;
    CG0306;
    CG0401;
    CG0402;
    CG0403;
    CG0404;
    CG0405;
    CG0406;
    CG0407;
    CG0408;
    CG0409;
    CG0501;
    CG0502;
    CG0503;
    CG0504;
    CG0505;
    CG0506;
    CG0511;
    CG0512;
    CG0601;
    CG0602;
    CG0701;
    CG0702;
    CG0703;
    CG0801;
    CG0802;
    CG0803;
    CG0804;
    CG0811;
    CG0812;
    CG0900;
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_code_has_a_page_with_its_title() {
        let wanted: Vec<String> =
            graph_ir::code::ALL.iter().map(|(code, title)| format!("# {code}: {title}")).collect();
        let written: Vec<&str> = ALL.iter().filter_map(|(_, page)| page.lines().next()).collect();
        assert_eq!(written, wanted);
    }

    #[test]
    fn every_page_shows_what_is_accepted_and_a_text_with_its_code() {
        for (code, page) in ALL {
            assert!(page.contains("\n```rust\n"), "{code}");
            assert!(page.contains(&format!("[{code}]")) || *code == "CG0900", "{code}");
        }
    }

    #[test]
    fn the_index_lists_every_code() {
        let index = include_str!("mod.rs");
        for (code, title) in graph_ir::code::ALL {
            assert!(index.contains(&format!("//! | [`{code}`] | {title} |")), "{code}");
        }
    }
}
