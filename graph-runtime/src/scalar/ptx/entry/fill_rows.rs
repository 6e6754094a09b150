//! Fills of boxes: rows of elements at equal distances, in slices at equal distances.
//!
//! The grid's second dimension walks the rows, its first the bytes of each: word by word where addresses, sizes and distances are
//! multiples of 4, else byte by byte. The pattern starts anew in each row, which begins with a whole element.

pub(super) const TEXT: &str = "\
	.reg .pred %p<6>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<34>;
	ld.param.u64 %rd0, [access_0];
	cvta.to.global.u64 %rd1, %rd0;
	ld.param.u64 %rd2, [bytes];
	ld.param.u64 %rd3, [size];
	ld.param.u64 %rd4, [rows];
	ld.param.u64 %rd5, [height];
	ld.param.u64 %rd6, [pitch];
	ld.param.u64 %rd7, [slice];
	mov.u64 %rd8, pattern;
	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %nctaid.x;
	cvt.u64.u32 %rd9, %r2;
	mad.wide.u32 %rd10, %r0, %r1, %rd9;
	mul.wide.u32 %rd11, %r3, %r1;
	or.b64 %rd12, %rd1, %rd2;
	or.b64 %rd12, %rd12, %rd3;
	or.b64 %rd12, %rd12, %rd6;
	or.b64 %rd12, %rd12, %rd7;
	and.b64 %rd12, %rd12, 3;
	setp.eq.u64 %p0, %rd12, 0;
	selp.b32 %r4, 2, 0, %p0;
	shl.b64 %rd13, %rd10, %r4;
	shl.b64 %rd14, %rd11, %r4;
	rem.u64 %rd15, %rd13, %rd3;
	rem.u64 %rd16, %rd14, %rd3;
	mov.u32 %r5, %ctaid.y;
	mov.u32 %r6, %nctaid.y;
	cvt.u64.u32 %rd17, %r5;
	cvt.u64.u32 %rd18, %r6;
ROW:
	setp.ge.u64 %p1, %rd17, %rd4;
	@%p1 bra DONE;
	div.u64 %rd19, %rd17, %rd5;
	rem.u64 %rd20, %rd17, %rd5;
	mul.lo.u64 %rd21, %rd19, %rd7;
	mad.lo.u64 %rd22, %rd20, %rd6, %rd21;
	add.u64 %rd23, %rd1, %rd22;
	mov.u64 %rd24, %rd13;
	mov.u64 %rd25, %rd15;
LOOP:
	setp.ge.u64 %p2, %rd24, %rd2;
	@%p2 bra END;
	add.u64 %rd26, %rd8, %rd25;
	add.u64 %rd27, %rd23, %rd24;
	@!%p0 bra BYTE;
	ld.param.u32 %r7, [%rd26];
	st.global.u32 [%rd27], %r7;
	bra NEXT;
BYTE:
	ld.param.u8 %r8, [%rd26];
	st.global.u8 [%rd27], %r8;
NEXT:
	add.u64 %rd24, %rd24, %rd14;
	add.u64 %rd25, %rd25, %rd16;
	setp.ge.u64 %p3, %rd25, %rd3;
	@%p3 sub.u64 %rd25, %rd25, %rd3;
	bra LOOP;
END:
	add.u64 %rd17, %rd17, %rd18;
	bra ROW;
DONE:
	ret;
";
