//! Lists and structs, taken apart and put together again as evaluators see them.

use std::sync::Arc;

use graph_runtime::__private::{
    Arguments, Collector, GhostBuffer, GhostReader, ListOf, Read, Shape, Sink, StructRead, StructWrite, Write,
};
use graph_runtime::prelude::*;
use graph_runtime::{BindList, Buffers};

/// What stands for everything bound to one parameter of this kind.
fn lengths<'g>(list: impl BindList<'g, Read<f32>>) -> Vec<(GhostBuffer, usize)> {
    let mut arguments = Arguments::new();
    arguments.add::<ListOf<Read<f32>>, _>("w", list);
    let sink = Sink::of(Arc::new(arguments.layout().clone()));
    sink.bound::<ListOf<Read<f32>>>(0).iter().map(|ghost| (ghost.buffer(), ghost.len())).collect()
}

#[test]
fn lists_are_vectors_arrays_and_slices_of_what_their_items_may_be() {
    let device = Device::cpu();
    let make = |length| device.zeros::<f32>(length).unwrap();
    let expected = [(GhostBuffer::Bound(0), 2), (GhostBuffer::Bound(1), 5)];
    let buffers = vec![make(2), make(5)];
    assert_eq!(lengths(&buffers), expected);
    assert_eq!(lengths(&buffers[..]), expected);
    assert_eq!(lengths([&buffers[0], &buffers[1]]), expected);
    assert_eq!(lengths(&[&buffers[0], &buffers[1]][..]), expected);
    assert_eq!(lengths(buffers.iter().collect::<Vec<_>>()), expected);
    let shared: Vec<_> = buffers.into_iter().map(Arc::new).collect();
    assert_eq!(lengths(&shared), expected);
    assert_eq!(lengths(shared), expected);
    assert_eq!(lengths([make(2), make(5)]), expected);
    assert_eq!(lengths(Vec::<Buffer<f32>>::new()), []);
}

#[test]
fn lists_of_lists_are_bound_item_by_item() {
    type Tiles = ListOf<ListOf<Write<i32>>>;
    let device = Device::cpu();
    let mut tiles: Vec<Vec<Buffer<i32>>> =
        (1..4).map(|row| (0..row).map(|column| device.zeros(10 * row + column).unwrap()).collect()).collect();
    let mut arguments = Arguments::new();
    arguments.add::<Tiles, _>("a", &mut tiles);
    let names: Vec<_> = arguments.layout().leaves().iter().map(|leaf| leaf.name.as_str()).collect();
    assert_eq!(names, ["a[0][0]", "a[1][0]", "a[1][1]", "a[2][0]", "a[2][1]", "a[2][2]"]);
    let a = Sink::of(Arc::new(arguments.layout().clone())).bound::<Tiles>(0);
    assert_eq!((a.len(), a[2].len(), a[2][1].len(), a[2][1].buffer()), (3, 3, 31, GhostBuffer::Bound(4)));
}

/// What the derive would make of it, by hand.
struct Linear {
    w: Buffer<f32>,
    heads: usize,
}

#[derive(Clone)]
struct LinearGhost {
    w: <Buffer<f32> as Buffers>::Ghost,
    heads: usize,
}

// SAFETY: the buffer is the value's own.
unsafe impl Buffers for Linear {
    type Ghost = LinearGhost;

    fn collect(&self, into: &mut Collector<'_, '_>) -> Shape {
        Shape::Struct(vec![
            into.field("w", |into| self.w.collect(into)),
            into.field("heads", |into| self.heads.collect(into)),
        ])
    }

    fn ghost(shape: &Shape, reader: &mut GhostReader<'_>) -> LinearGhost {
        let fields = shape.fields();
        LinearGhost { w: <Buffer<f32>>::ghost(&fields[0], reader), heads: usize::ghost(&fields[1], reader) }
    }
}

#[test]
fn structs_have_the_fields_that_they_have() {
    let device = Device::cpu();
    let make = |length: usize| Linear { w: device.zeros(length).unwrap(), heads: length / 2 };
    let (layers, mut last) = (vec![make(4), make(6)], make(8));
    let mut arguments = Arguments::new();
    arguments.add::<ListOf<StructRead<Linear>>, _>("layers", &layers);
    arguments.add::<StructWrite<Linear>, _>("last", &mut last);
    arguments.add::<StructRead<Linear>, _>("more", Arc::new(make(2)));
    let layout = arguments.layout();
    let names: Vec<_> = layout.leaves().iter().map(|leaf| (leaf.name.as_str(), leaf.parameter)).collect();
    assert_eq!(names, [("layers[0].w", 0), ("layers[1].w", 0), ("last.w", 1), ("more.w", 2)]);
    assert_eq!((layout.leaves_of(0), layout.leaves_of(1), layout.leaves_of(2)), (0..2, 2..3, 3..4));
    let sink = Sink::of(Arc::new(layout.clone()));
    let (layers, last) = (sink.bound::<ListOf<StructRead<Linear>>>(0), sink.bound::<StructWrite<Linear>>(1));
    assert_eq!((layers[1].w.len(), layers[1].heads, layers[1].w.buffer()), (6, 3, GhostBuffer::Bound(1)));
    assert_eq!((last.w.len(), last.heads, last.w.buffer()), (8, 4, GhostBuffer::Bound(2)));
}

#[test]
fn an_index_past_the_end_names_the_list() {
    let buffers = [Device::cpu().zeros::<f32>(1).unwrap()];
    let mut arguments = Arguments::new();
    arguments.add::<ListOf<Read<f32>>, _>("w", &buffers);
    let w = Sink::of(Arc::new(arguments.layout().clone())).bound::<ListOf<Read<f32>>>(0);
    let panic = std::panic::catch_unwind(|| w[1].len()).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap(), "index 1 is out of bounds: the list `w` has 1 items");
}
