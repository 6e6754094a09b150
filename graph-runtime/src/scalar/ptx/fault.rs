//! Faults that the device records: the first one wins.

use super::body::{Body, Class, Register};

/// The name of the function in [`RECORD`].
const RECORD_NAME: &str = "record_fault";

/// Puts a site and three words into the record, unless there is something in it.
///
/// `claim` is device memory: how many faults were written, and the record's address. The record is pinned memory of the host: the site
/// plus one, which is zero as long as there is no fault, the words, and how many faults the host has read.
pub(super) const RECORD: &str = "\
.func record_fault(.param .u64 claim, .param .u64 site, .param .u64 a, .param .u64 b, .param .u64 c)
{
	.reg .pred %p<1>;
	.reg .b64 %rd<10>;
	ld.param.u64 %rd0, [claim];
	ld.param.u64 %rd1, [site];
	ld.param.u64 %rd2, [a];
	ld.param.u64 %rd3, [b];
	ld.param.u64 %rd4, [c];
	ld.global.u64 %rd5, [%rd0+8];
	ld.volatile.global.u64 %rd6, [%rd5+32];
	add.u64 %rd7, %rd6, 1;
	atom.global.cas.b64 %rd8, [%rd0], %rd6, %rd7;
	setp.ne.u64 %p0, %rd8, %rd6;
	@%p0 bra DONE;
	add.u64 %rd9, %rd1, 1;
	st.volatile.global.u64 [%rd5+8], %rd2;
	st.volatile.global.u64 [%rd5+16], %rd3;
	st.volatile.global.u64 [%rd5+24], %rd4;
	membar.sys;
	st.volatile.global.u64 [%rd5], %rd9;
DONE:
	ret;
}
";

/// Whether an entry's text needs [`RECORD`].
pub(super) fn needs_record(text: &str) -> bool {
    text.contains(RECORD_NAME)
}

/// Records a fault of an index. Sites count in twos: the odd ones have signed indices.
pub(super) fn record(body: &mut Body, site: u32, signed: bool, words: &[Register]) {
    let first = body.parameter("site");
    let offset = 2 * site + u32::from(signed);
    let site = body.compute(Class::Long, "add.u64", &[&first, &offset]);
    let record = body.address("fault");
    let word = |index: usize| words.get(index).map_or_else(|| "0".to_owned(), ToString::to_string);
    let [a, b, c] = [0, 1, 2].map(word);
    body.block(&[
        &".param .b64 p0",
        &".param .b64 p1",
        &".param .b64 p2",
        &".param .b64 p3",
        &".param .b64 p4",
        &format_args!("st.param.b64 [p0], {record}"),
        &format_args!("st.param.b64 [p1], {site}"),
        &format_args!("st.param.b64 [p2], {a}"),
        &format_args!("st.param.b64 [p3], {b}"),
        &format_args!("st.param.b64 [p4], {c}"),
        &format_args!("call {RECORD_NAME}, (p0, p1, p2, p3, p4)"),
    ]);
}
