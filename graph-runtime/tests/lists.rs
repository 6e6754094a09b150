//! Lists and structs, taken apart and put together again as evaluators see them.

use std::sync::Arc;

use graph_runtime::__private::{Arguments, GhostBuffer, ListOf, Read, Sink, StructRead, StructWrite, Write};
use graph_runtime::BindList;
use graph_runtime::prelude::*;

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

#[derive(Buffers)]
struct Linear<T: Element> {
    /// Weights.
    w: Buffer<T>,
    pub heads: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Norm {
    Layer(f32),
}

/// Everything that a field may be.
#[derive(Buffers)]
struct Model<T: Element, const LAYERS: usize>
where
    Vec<T>: Send,
{
    layers: [Linear<T>; LAYERS],
    staging: PinnedBuffer<u8>,
    tied: Arc<Buffer<T>>,
    #[value]
    norm: Norm,
    r#type: String,
    widths: Vec<usize>,
}

#[test]
fn a_struct_of_everything() {
    let device = Device::cpu();
    let linear = |length: usize| Linear { w: device.zeros::<f32>(length).unwrap(), heads: length / 2 };
    let tied = Arc::new(device.zeros(7).unwrap());
    let model = Model {
        layers: [linear(4), linear(6)],
        staging: device.pinned_zeros(3).unwrap(),
        tied: Arc::clone(&tied),
        norm: Norm::Layer(0.5),
        r#type: "gpt".to_owned(),
        widths: vec![8, 9],
    };
    let mut arguments = Arguments::new();
    arguments.add::<StructRead<Model<f32, 2>>, _>("m", model);
    let leaves: Vec<_> = arguments.layout().leaves().iter().map(|leaf| (leaf.name.as_str(), leaf.length)).collect();
    assert_eq!(leaves, [("m.layers[0].w", 4), ("m.layers[1].w", 6), ("m.staging", 3), ("m.tied", 7)]);
    let m = Sink::of(Arc::new(arguments.layout().clone())).bound::<StructRead<Model<f32, 2>>>(0);
    let copy = m.clone();
    assert_eq!((copy.layers.len(), m.layers[1].heads, m.layers[1].w.buffer()), (2, 3, GhostBuffer::Bound(1)));
    assert_eq!((m.staging.buffer(), m.tied.buffer()), (GhostBuffer::Bound(2), GhostBuffer::Bound(3)));
    assert_eq!((m.norm, m.r#type.as_str(), m.widths.iter().sum::<usize>()), (Norm::Layer(0.5), "gpt", 17));
    assert!(Arc::try_unwrap(tied).is_err(), "what is bound keeps the user's `Arc`");
}

#[test]
fn structs_have_the_fields_that_they_have() {
    let device = Device::cpu();
    let make = |length: usize| Linear { w: device.zeros(length).unwrap(), heads: length / 2 };
    let (layers, mut last) = (vec![make(4), make(6)], make(8));
    let mut arguments = Arguments::new();
    arguments.add::<ListOf<StructRead<Linear<f32>>>, _>("layers", &layers);
    arguments.add::<StructWrite<Linear<f32>>, _>("last", &mut last);
    arguments.add::<StructRead<Linear<f32>>, _>("more", Arc::new(make(2)));
    let layout = arguments.layout();
    let names: Vec<_> = layout.leaves().iter().map(|leaf| (leaf.name.as_str(), leaf.parameter)).collect();
    assert_eq!(names, [("layers[0].w", 0), ("layers[1].w", 0), ("last.w", 1), ("more.w", 2)]);
    assert_eq!((layout.leaves_of(0), layout.leaves_of(1), layout.leaves_of(2)), (0..2, 2..3, 3..4));
    let sink = Sink::of(Arc::new(layout.clone()));
    let (layers, last) = (sink.bound::<ListOf<StructRead<Linear<f32>>>>(0), sink.bound::<StructWrite<Linear<f32>>>(1));
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
