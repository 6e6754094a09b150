//! Fills whose pattern has any size: word by word where address and size are multiples of 4, else byte by byte.
//!
//! Each thread walks the buffer with the grid's stride, and the pattern with that stride modulo the pattern's size.

pub(super) const TEXT: &str = "\
	.reg .pred %p<5>;
	.reg .b32 %r<7>;
	.reg .b64 %rd<24>;
	ld.param.u64 %rd0, [access_0];
	cvta.to.global.u64 %rd1, %rd0;
	ld.param.u64 %rd2, [bytes];
	ld.param.u64 %rd3, [size];
	mov.u64 %rd4, pattern;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %nctaid.x;
	cvt.u64.u32 %rd5, %r2;
	mad.wide.u32 %rd6, %r0, %r1, %rd5;
	mul.wide.u32 %rd7, %r3, %r1;
	or.b64 %rd8, %rd1, %rd3;
	and.b64 %rd9, %rd8, 3;
	setp.eq.u64 %p0, %rd9, 0;
	selp.b32 %r4, 2, 0, %p0;
	shl.b64 %rd10, %rd6, %r4;
	shl.b64 %rd11, %rd7, %r4;
	rem.u64 %rd12, %rd10, %rd3;
	rem.u64 %rd13, %rd11, %rd3;
LOOP:
	setp.ge.u64 %p1, %rd10, %rd2;
	@%p1 bra DONE;
	add.u64 %rd14, %rd4, %rd12;
	add.u64 %rd15, %rd1, %rd10;
	@!%p0 bra BYTE;
	ld.param.u32 %r5, [%rd14];
	st.global.u32 [%rd15], %r5;
	bra NEXT;
BYTE:
	ld.param.u8 %r6, [%rd14];
	st.global.u8 [%rd15], %r6;
NEXT:
	add.u64 %rd10, %rd10, %rd11;
	add.u64 %rd12, %rd12, %rd13;
	setp.ge.u64 %p2, %rd12, %rd3;
	@%p2 sub.u64 %rd12, %rd12, %rd3;
	bra LOOP;
DONE:
	ret;
";
