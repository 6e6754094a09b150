//! Names that are also kernels, words of the language, raw identifiers, or names that generated code might use.

use graph_runtime::prelude::*;

use crate::kernels::odd::{self, count, increment};
use crate::on_each;
use tests::kernels::basic;

cuda_graph! {
    /// Everything is called like something that generated code has.
    graph Internal(
        values: u32, sink: &mut [u32; kernel], device: &[u32; kernel], bindings: &out [u32; kernel], elements: u32, buffer: f32,
        graph: bool, index: usize, __value: u32,
    ) {
        let flag = graph;
        let out: [u32; kernel] = values;
        let host: [u32; kernel];
        let atomic: [u32; 1] = elements;
        copy(&device, &out host);
        odd::count<<<1, 64>>>(&mut sink, kernel as u32);
        odd::increment<<<1, 64>>>(&mut out, kernel as u32);
        copy(&out, &out bindings);
        if flag { basic::count_equal<<<1, 64>>>(&host, __value, &atomic atomic, kernel as u32); }
        sink[index] = atomic[0] + buffer as u32;
    }

    /// `count` is a kernel, a length and a host value; `increment` a buffer, `count_1` a transient.
    graph LikeKernels(increment: &mut [u32; count], x: &mut [u32; count]) {
        let count_1: [u32; count] = 0;
        count<<<1, 64>>>(&mut increment, count as u32);
        odd::increment<<<1, 64>>>(&mut x, count as u32);
        basic::increment<<<1, 64>>>(&mut x, count as u32);
        odd::count_1<<<1, 64>>>(&mut count_1, count as u32);
        copy(&count_1[..1], &out x[..1]);
        let odd = 3;
        let basic = odd + 4;
        odd::count<<<1, 64>>>(&mut increment, count as u32);
        x[1] = basic;
    }

    /// Raw identifiers everywhere.
    graph Raw(r#type: &mut [u32; r#fn], r#loop: u32, r#match: &out [u32; r#fn]) {
        let r#in: [u32; r#fn] = r#loop;
        let r#as = r#loop + 1;
        odd::r#move<<<1, 64>>>(&mut r#type, r#fn as u32);
        'r: copy(&r#in, &out r#match);
        r#match[0] = r#type[0] + r#as;
        if r#type[1] > r#loop { fill(&out r#match[1..2], r#as); }
    }

    /// By every kind of path, and by a single name.
    graph Paths(x: &mut [u32; n]) {
        increment<<<1, 64>>>(&mut x, n as u32);
        self::increment<<<1, 64>>>(&mut x, n as u32);
        crate::kernels::odd::increment<<<1, 64>>>(&mut x, n as u32);
        super::kernels::odd::increment<<<1, 64>>>(&mut x, n as u32);
        ::tests::kernels::basic::increment<<<1, 64>>>(&mut x, n as u32);
        odd::increment<<<1, 64>>>(&mut x, n as u32);
    }

    /// Words as labels and names at once.
    graph Words(limit: &mut [u32; 1], every: &mut [u32; every_n], after: u64, kernel: u32, copy: &[u32; every_n], swap: &mut [u32; every_n]) {
        'after: while limit[0] > 0 limit after every 2 {
            'every: limit[0] -= 1;
            'limit: odd::count<<<1, 64>>>(&mut every, every_n as u32) after 'every;
        } after 'copy;
        'copy: copy(&copy, &out swap);
        'fill: fill(&out swap[..1], kernel) after 'after;
    }

    /// A host value hides another, a length and a buffer's in an inner block.
    graph Shadows(x: &mut [u32; n], y: &out [u32; 1], by: u32) {
        let by = by + 1;
        let n = n as u32;
        let m = by;
        {
            let by = by * 10;
            let m = m + by;
            fill(&out x[..1], m);
            let x = 7;
            let by = by + x;
            let t: [u32; 1] = by;
            y[0] = t[0];
        }
        odd::count<<<1, n>>>(&mut x, n);
        x[1] = by + m;
    }
}

#[test]
fn names_of_generated_code_are_free() {
    on_each(|device| {
        let mut sink = device.buffer_from(&[1_u32, 2])?;
        let input = device.buffer_from(&[5_u32, 5])?;
        let bindings = device.zeros::<u32>(2)?;
        let arguments = InternalArgs {
            values: 3,
            sink: &mut sink,
            device: &input,
            bindings,
            elements: 40,
            buffer: 2.5,
            graph: true,
            index: 1,
            __value: 5,
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.sink().to_vec()?, [2, 44]);
        assert_eq!(graph.bindings().to_vec()?, [13, 13]);
        graph.set_values(4)?;
        graph.set_buffer(0.0)?;
        graph.launch()?;
        assert_eq!(graph.sink().to_vec()?, [3, 42]);
        assert_eq!(graph.bindings().to_vec()?, [14, 14]);
        Ok(())
    });
}

#[test]
fn a_name_may_be_a_kernel_s_too() {
    on_each(|device| {
        let increment = device.buffer_from(&[1_u32, 2])?;
        let x = device.buffer_from(&[1_u32, 2])?;
        let mut graph = LikeKernelsArgs { increment, x }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.increment().to_vec()?, [3, 4]);
        assert_eq!(graph.x().to_vec()?, [100, 7]);
        Ok(())
    });
}

#[test]
fn raw_identifiers() {
    on_each(|device| {
        let mut graph =
            RawArgs { r#type: device.buffer_from(&[1_u32, 2])?, r#loop: 3, r#match: device.zeros(2)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.r#type().to_vec()?, [2, 4]);
        assert_eq!(graph.r#match().to_vec()?, [6, 4]);
        graph.set_loop(5)?;
        graph.launch()?;
        assert_eq!(graph.r#match().to_vec()?, [10, 6]);
        graph.launch()?;
        assert_eq!(graph.type_mut()?.to_vec()?, [8, 16]);
        Ok(())
    });
}

#[test]
fn kernels_by_every_path() {
    on_each(|device| {
        let mut graph = PathsArgs { x: device.zeros::<u32>(3)? }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [51; 3]);
        Ok(())
    });
}

#[test]
fn words_of_the_language_are_names() {
    on_each(|device| {
        let arguments = WordsArgs {
            limit: device.buffer_from(&[4_u32])?,
            every: device.zeros(2)?,
            after: 10,
            kernel: 9,
            copy: &device.buffer_from(&[1_u32, 2])?,
            swap: device.zeros(2)?,
        };
        let mut graph = arguments.build(device)?;
        graph.launch()?;
        assert_eq!(graph.every().to_vec()?, [4, 4]);
        assert_eq!(graph.swap().to_vec()?, [9, 2]);
        assert_eq!(graph.limit().to_vec()?, [0]);
        Ok(())
    });
}

#[test]
fn host_values_hide_others_within_their_block() {
    on_each(|device| {
        let mut graph = ShadowsArgs { x: device.zeros::<u32>(3)?, y: device.zeros(1)?, by: 1 }.build(device)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [23, 4, 1]);
        assert_eq!(graph.y().to_vec()?, [27]);
        graph.set_by(2)?;
        graph.launch()?;
        assert_eq!(graph.x().to_vec()?, [34, 6, 2]);
        assert_eq!(graph.y().to_vec()?, [37]);
        Ok(())
    });
}
