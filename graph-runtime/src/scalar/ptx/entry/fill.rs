//! Fills whose pattern has a period of 1, 2, 4, 8 or 16 bytes, at any alignment.
//!
//! The bytes up to the first multiple of 16 and those behind the last are stored one by one; between them go vectors of 16 bytes,
//! which all hold the pattern rotated by the number of bytes in front.

pub(super) const TEXT: &str = "\
	.reg .pred %p<8>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<40>;
	ld.param.u64 %rd0, [access_0];
	cvta.to.global.u64 %rd1, %rd0;
	ld.param.u64 %rd2, [bytes];
	ld.param.v2.u64 {%rd3, %rd4}, [pattern];
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %nctaid.x;
	cvt.u64.u32 %rd5, %r2;
	mad.wide.u32 %rd6, %r0, %r1, %rd5;
	mul.wide.u32 %rd7, %r3, %r1;
	neg.s64 %rd8, %rd1;
	and.b64 %rd9, %rd8, 15;
	min.u64 %rd10, %rd9, %rd2;
	sub.u64 %rd11, %rd2, %rd10;
	shr.u64 %rd12, %rd11, 4;
	and.b64 %rd13, %rd11, 15;
	and.b64 %rd14, %rd10, 8;
	setp.ne.u64 %p0, %rd14, 0;
	selp.b64 %rd15, %rd4, %rd3, %p0;
	selp.b64 %rd16, %rd3, %rd4, %p0;
	cvt.u32.u64 %r4, %rd10;
	and.b32 %r5, %r4, 7;
	shl.b32 %r5, %r5, 3;
	sub.u32 %r6, 64, %r5;
	shr.u64 %rd17, %rd15, %r5;
	shl.b64 %rd18, %rd16, %r6;
	or.b64 %rd19, %rd17, %rd18;
	shr.u64 %rd20, %rd16, %r5;
	shl.b64 %rd21, %rd15, %r6;
	or.b64 %rd22, %rd20, %rd21;
	add.u64 %rd23, %rd1, %rd10;
	setp.ge.u64 %p1, %rd6, 16;
	@%p1 bra VECTORS;
	cvt.u32.u64 %r7, %rd6;
	and.b32 %r8, %r7, 7;
	shl.b32 %r8, %r8, 3;
	setp.ge.u32 %p2, %r7, 8;
	setp.ge.u64 %p3, %rd6, %rd10;
	@%p3 bra TAIL;
	selp.b64 %rd24, %rd4, %rd3, %p2;
	shr.u64 %rd25, %rd24, %r8;
	add.u64 %rd26, %rd1, %rd6;
	st.global.u8 [%rd26], %rd25;
TAIL:
	setp.ge.u64 %p4, %rd6, %rd13;
	@%p4 bra VECTORS;
	selp.b64 %rd27, %rd22, %rd19, %p2;
	shr.u64 %rd28, %rd27, %r8;
	shl.b64 %rd29, %rd12, 4;
	add.u64 %rd30, %rd23, %rd29;
	add.u64 %rd31, %rd30, %rd6;
	st.global.u8 [%rd31], %rd28;
VECTORS:
	setp.ge.u64 %p5, %rd6, %rd12;
	@%p5 bra DONE;
	shl.b64 %rd32, %rd6, 4;
	add.u64 %rd33, %rd23, %rd32;
	shl.b64 %rd34, %rd7, 4;
LOOP:
	st.global.v2.u64 [%rd33], {%rd19, %rd22};
	add.u64 %rd6, %rd6, %rd7;
	add.u64 %rd33, %rd33, %rd34;
	setp.lt.u64 %p6, %rd6, %rd12;
	@%p6 bra LOOP;
DONE:
	ret;
";
