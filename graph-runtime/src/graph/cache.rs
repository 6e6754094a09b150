//! Graphs of different shapes, by key.

use std::fmt;
use std::hash::Hash;
use std::num::NonZeroUsize;

use lru::LruCache;

use super::Arena;
use crate::device::Device;
use crate::error::{Error, Result};

/// Graphs of different shapes by key, such as the length of a sequence, so that each shape is built once. It holds a bounded number of
/// them, forgets the one that was not asked for the longest, and has one [`Arena`] for the transients of all.
///
/// A graph that is forgotten is dropped, which waits for nothing: launches of it that are under way end as they would.
pub struct Cache<K, G> {
    graphs: LruCache<K, G>,
    arena: Arena,
    figures: CacheFigures,
}

/// What a [`Cache`] has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheFigures {
    /// Graphs that were asked for and were there.
    pub hits: u64,
    /// Graphs that were built, ahead of requests or for one.
    pub builds: u64,
    /// Graphs that were forgotten to make room.
    pub evictions: u64,
}

impl<K: Hash + Eq, G> Cache<K, G> {
    /// A cache of at most `capacity` graphs, whose transients lie on `device`.
    ///
    /// # Errors
    /// If there is to be room for none.
    pub fn new(device: &Device, capacity: usize) -> Result<Self> {
        let capacity = NonZeroUsize::new(capacity).ok_or_else(|| {
            Error::Buffer("a cache must have room for one graph at least, and has none\nhelp: ask for 1".to_owned())
        })?;
        Ok(Self { graphs: LruCache::new(capacity), arena: device.arena(), figures: CacheFigures::default() })
    }

    /// The graph of a key. If it is not there the closure builds it, with `build_in` and the arena that it is given.
    ///
    /// # Errors
    /// That of the closure: then nothing was forgotten.
    pub fn get_or_build(&mut self, key: K, build: impl FnOnce(&Arena) -> Result<G>) -> Result<&mut G> {
        let (known, full) = (self.graphs.contains(&key), self.len() == self.capacity());
        let (arena, graphs) = (&self.arena, &mut self.graphs);
        let graph = graphs.try_get_or_insert_mut(key, || build(arena))?;
        if known {
            self.figures.hits += 1;
        } else {
            self.figures.builds += 1;
            self.figures.evictions += u64::from(full);
        }
        Ok(graph)
    }

    /// Builds graphs ahead of requests, unless they are there. The arena is as large as the largest of them needs from here on.
    ///
    /// # Errors
    /// If there is no room for so many: then none was built. That of the closure: then those before it were built.
    pub fn warm_up(
        &mut self,
        keys: impl IntoIterator<Item = K>,
        mut build: impl FnMut(&K, &Arena) -> Result<G>,
    ) -> Result<()> {
        let mut wanted: Vec<K> = Vec::new();
        for key in keys {
            if !wanted.contains(&key) {
                wanted.push(key);
            }
        }
        if wanted.len() > self.capacity() {
            let (room, asked) = (self.capacity(), wanted.len());
            return Err(Error::Buffer(format!(
                "a cache with room for {room} graphs cannot be warmed up with {asked}: the first would be forgotten again
                 help: make it with a capacity of {asked}"
            )));
        }
        // Those that are there first, so that none of them is forgotten for the others.
        wanted.retain(|key| self.graphs.get(key).is_none());
        for key in wanted {
            let graph = build(&key, &self.arena)?;
            self.figures.builds += 1;
            self.figures.evictions += u64::from(self.graphs.push(key, graph).is_some());
        }
        Ok(())
    }

    /// The graph of a key, if it is there. That is no use of it: it is forgotten as if it had not been looked at.
    pub fn peek(&self, key: &K) -> Option<&G> {
        self.graphs.peek(key)
    }

    /// Takes the graph of a key out.
    pub fn remove(&mut self, key: &K) -> Option<G> {
        self.graphs.pop(key)
    }

    /// The keys that are there, the one that was used last in front.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.graphs.iter().map(|(key, _)| key)
    }

    /// How many graphs there are.
    pub fn len(&self) -> usize {
        self.graphs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.graphs.is_empty()
    }

    /// How many graphs there may be.
    pub fn capacity(&self) -> usize {
        self.graphs.cap().get()
    }

    /// The memory of all transients.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// What it has done so far.
    pub fn figures(&self) -> CacheFigures {
        self.figures
    }
}

impl<K: Hash + Eq, G> fmt::Debug for Cache<K, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} of {} graphs, {:?})", self.len(), self.capacity(), self.figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(capacity: usize) -> Cache<u32, String> {
        Cache::new(&Device::cpu(), capacity).unwrap()
    }

    fn get(cache: &mut Cache<u32, String>, key: u32) -> String {
        cache.get_or_build(key, |_| Ok(format!("graph {key}"))).unwrap().clone()
    }

    #[test]
    fn the_least_recently_used_is_forgotten() {
        let mut cache = cache(2);
        let got = [1, 2, 1, 3, 1, 2].map(|key| get(&mut cache, key));
        assert_eq!(got, ["graph 1", "graph 2", "graph 1", "graph 3", "graph 1", "graph 2"]);
        // 3 pushes 2 out, and 2 pushes 3 out.
        assert_eq!(cache.figures(), CacheFigures { hits: 2, builds: 4, evictions: 2 });
        assert_eq!(cache.keys().collect::<Vec<_>>(), [&2, &1]);
        assert_eq!(format!("{cache:?}"), "Cache(2 of 2 graphs, CacheFigures { hits: 2, builds: 4, evictions: 2 })");
    }

    #[test]
    fn a_build_that_fails_forgets_nothing() {
        let mut cache = cache(1);
        get(&mut cache, 1);
        let failed = cache.get_or_build(2, |_| Err(Error::Buffer("too large".to_owned())));
        assert_eq!(failed.unwrap_err().to_string(), "too large");
        assert_eq!((cache.peek(&1).map(String::as_str), cache.len()), (Some("graph 1"), 1));
        assert_eq!(cache.figures(), CacheFigures { hits: 0, builds: 1, evictions: 0 });
    }

    #[test]
    fn what_is_warm_is_hit_and_too_much_is_refused() {
        let mut cache = cache(3);
        get(&mut cache, 7);
        get(&mut cache, 2);
        get(&mut cache, 9);
        cache.warm_up([7, 1, 7], |key, _| Ok(format!("graph {key}"))).unwrap();
        // 2 was not asked for the longest once 7 is wanted.
        assert_eq!(cache.keys().collect::<Vec<_>>(), [&1, &7, &9]);
        assert_eq!(cache.figures(), CacheFigures { hits: 0, builds: 4, evictions: 1 });
        assert_eq!(get(&mut cache, 1), "graph 1");
        assert_eq!(cache.figures().hits, 1);
        let many = cache.warm_up(0..4, |_, _| panic!("nothing is built")).unwrap_err().to_string();
        assert!(many.starts_with("a cache with room for 3 graphs cannot be warmed up with 4: "), "{many}");
        assert!(Cache::<u32, String>::new(&Device::cpu(), 0).unwrap_err().to_string().contains("help: ask for 1"));
    }
}
