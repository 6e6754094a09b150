//! The block.

use graph_runtime::prelude::*;
use half::f16;

use super::kernels::{CLUSTER, CLUSTERS, THREADS, k};
use super::shared;

/// A matrix and what is added.
#[derive(Buffers)]
pub struct Linear {
    pub(super) w: Buffer<f16>,
    pub(super) b: Buffer<f16>,
}

/// Layer normalisation.
#[derive(Buffers)]
pub struct Norm {
    pub(super) gain: Buffer<f16>,
    pub(super) bias: Buffer<f16>,
}

/// A transformer layer. Matrices have one row for each output, `down` one for each input.
#[derive(Buffers)]
pub struct Layer {
    pub(super) first: Norm,
    pub(super) qkv: Linear,
    pub(super) out: Linear,
    pub(super) second: Norm,
    pub(super) up: Linear,
    pub(super) down: Linear,
}

/// Everything outside the layers.
#[derive(Buffers)]
pub struct Model {
    pub(super) wte: Buffer<f16>,
    pub(super) wpe: Buffer<f16>,
    pub(super) last: Norm,
}

/// Keys and values of one layer, by head and position.
#[derive(Buffers)]
pub struct Cache {
    pub(super) keys: Buffer<f16>,
    pub(super) values: Buffer<f16>,
}

cuda_graph! {
    /// From the token at `position` on, for `passes` tokens, or until `eos` has been read behind the prompt, which is looked at behind each
    /// `between` of them: then further end tokens follow. The first `prompt` tokens are given.
    ///
    /// A pass is one token: two kernels a layer, and the logits. Each begins while the one in front of it still runs, and fetches its weights,
    /// which do not depend on it. The first one of a pass looks for the best of the words that the last one of the pass before has left.
    pub graph Generate<const D: usize, const HEADS: usize>(
        model: &Model,
        layers: [&Layer],
        cache: [&mut Cache],
        tokens: &mut [u32; length],
        position: &mut [u32; 1],
        logits: &out [f32; words],
        prompt: u32,
        passes: u32,
        between: u32,
        eos: u32,
        blocks: usize,
    ) {
        let token: [u32; 1];
        let attended: [f32; HEADS * D];
        let fed: [f32; CLUSTERS * D];
        let bests: [f32; blocks];
        let best_words: [u32; blocks];
        let (most, vocabulary, parts) = (length as u32, words as u32, blocks as u32);
        let (heads, all) = (HEADS * CLUSTER, CLUSTERS * CLUSTER);
        let (attend_bytes, feed_bytes, unembed_bytes) = (shared::attend(D), shared::feed_forward(D), shared::unembed(D));
        k::resume<<<1>>>(&tokens, &position, &out bests, &out best_words, parts, most);
        'generate: loop limit passes every between {
            for (index, (l, cache)) in layers.iter().zip(cache.iter()).enumerate() {
                if index == 0 {
                    #[cluster(8)]
                    #[overlap]
                    k::attend_word::<D><<<heads, THREADS, attend_bytes>>>(
                        &l.qkv.w, &l.qkv.b, &l.out.w, &l.out.b, &l.first.gain, &l.first.bias, &model.wte, &model.wpe,
                        &bests, &best_words, &mut tokens, &out token, &mut cache.keys, &mut cache.values, &position, &out attended,
                        prompt, eos, parts, vocabulary, most,
                    );
                } else {
                    #[cluster(8)]
                    #[overlap]
                    k::attend::<D, CLUSTERS><<<heads, THREADS, attend_bytes>>>(
                        &l.qkv.w, &l.qkv.b, &l.out.w, &l.out.b, &l.first.gain, &l.first.bias,
                        &fed, &mut cache.keys, &mut cache.values, &position, &out attended, most,
                    );
                }
                #[cluster(8)]
                #[overlap]
                k::feed_forward::<D, HEADS><<<all, THREADS, feed_bytes>>>(
                    &l.up.w, &l.up.b, &l.down.w, &l.down.b, &l.second.gain, &l.second.bias, &attended, &out fed,
                );
            }
            #[overlap]
            k::unembed::<D, CLUSTERS><<<blocks, THREADS, unembed_bytes>>>(
                &model.wte, &model.last.gain, &model.last.bias, &fed, &out logits, &out bests, &out best_words, &mut position,
                vocabulary, parts, most,
            );
            if token[0] == eos && position[0] > prompt { break; }
        }
        k::pick<<<1>>>(&bests, &best_words, &mut tokens, &position, prompt, eos, parts, most);
    }
}
