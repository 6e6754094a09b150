//! Compiled kernel files on disk.
//!
//! A file is named by the SHA-256 of what was wanted, which is known without a compiler, and by who made it: a compiler finds what it made
//! itself, and where there is none an image of any compiler will do. It starts with the SHA-256 of what follows, and appears by renaming a
//! finished file, so that processes may write and read at the same time and a damaged file is as good as none.

use std::fmt::{self, Write as _};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"cugraph1";
const HEADER: usize = MAGIC.len() + size_of::<u64>() + DIGEST;
const DIGEST: usize = 32;

/// What an image is wanted of, hashed: text, options, device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wanted(String);

impl Wanted {
    /// Of these parts, each told apart from its neighbours by its length.
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self(hash(parts))
    }
}

/// Who makes an image, and with what of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Maker {
    /// Of NVRTC: 12 and 8.
    version: (i32, i32),
    /// Options that it chose, hashed: the best target that it knows, its headers.
    options: String,
}

impl Maker {
    /// NVRTC of this version, with options beside those that are wanted.
    pub(super) fn nvrtc<'a>(version: (i32, i32), options: impl IntoIterator<Item = &'a str>) -> Self {
        let mut options = hash(options.into_iter().map(str::as_bytes));
        options.truncate(16);
        Self { version, options }
    }

    /// From the end of a file's name.
    fn read(name: &str) -> Option<Self> {
        let (version, options) = name.strip_prefix("nvrtc-")?.split_once('-')?;
        let (major, minor) = version.split_once('.')?;
        Some(Self { version: (major.parse().ok()?, minor.parse().ok()?), options: options.to_owned() })
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version: (major, minor), options } = self;
        write!(f, "nvrtc-{major}.{minor}-{options}")
    }
}

/// Each part is told apart from its neighbours by its length.
fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut name = String::with_capacity(2 * DIGEST);
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// A folder of compiled images, or nothing where there can be none.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// `$CUDA_GRAPH_CACHE`, else `cuda-graph` in `$XDG_CACHE_HOME` or `~/.cache`. An empty `$CUDA_GRAPH_CACHE` means none.
    pub(super) fn from_environment() -> Self {
        Self { folder: folder(|name| std::env::var_os(name).map(PathBuf::from)) }
    }

    /// A given folder.
    #[cfg(test)]
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// The image that a compiler has made, if it is there and whole.
    pub(super) fn get(&self, wanted: &Wanted, maker: &Maker) -> Option<Vec<u8>> {
        let path = self.path(wanted, maker)?;
        let file = fs::read(&path).ok()?;
        let image = contents(&file);
        if image.is_none() {
            tracing::warn!(path = %path.display(), "a compiled kernel in the cache is damaged");
        }
        image.map(<[u8]>::to_vec)
    }

    /// An image of whichever compiler, for where there is none: of the newest that a driver of this version surely understands, then of one that
    /// is newer, the older first.
    pub(super) fn of_any(&self, wanted: &Wanted, driver: (i32, i32)) -> Option<(Vec<u8>, (i32, i32))> {
        let files = fs::read_dir(self.folder.as_ref()?).ok()?.flatten();
        let mut makers: Vec<Maker> = files
            .filter_map(|file| Maker::read(file.file_name().to_str()?.strip_prefix(&wanted.0)?.strip_prefix('.')?))
            .collect();
        makers.sort_by(|one, other| (one.version, &one.options).cmp(&(other.version, &other.options)));
        let understood = makers.partition_point(|maker| maker.version <= driver);
        makers[..understood].reverse();
        makers.iter().find_map(|maker| Some((self.get(wanted, maker)?, maker.version)))
    }

    /// Where images are kept, if anywhere.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Keeps an image. Where that is not possible the program works without it, and says so once.
    pub(super) fn put(&self, wanted: &Wanted, maker: &Maker, image: &[u8]) {
        static SAID: OnceLock<()> = OnceLock::new();
        let Some(path) = self.path(wanted, maker) else { return };
        if let Err(error) = store(&path, image) {
            SAID.get_or_init(|| {
                tracing::warn!(path = %path.display(), %error, "compiled kernels cannot be kept; set CUDA_GRAPH_CACHE");
            });
        }
    }

    fn path(&self, wanted: &Wanted, maker: &Maker) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.{maker}", wanted.0)))
    }
}

fn folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(own) = variable("CUDA_GRAPH_CACHE") {
        return (!own.as_os_str().is_empty()).then_some(own);
    }
    let absolute = |path: &PathBuf| path.is_absolute();
    let caches = variable("XDG_CACHE_HOME").filter(absolute);
    let home = || variable("HOME").filter(absolute).map(|home| home.join(".cache"));
    caches.or_else(home).map(|caches| caches.join("cuda-graph"))
}

fn store(path: &Path, image: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(MAGIC)?;
    file.write_all(&(image.len() as u64).to_le_bytes())?;
    file.write_all(&Sha256::digest(image))?;
    file.write_all(image)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The image in a file, if the file is one and whole.
fn contents(file: &[u8]) -> Option<&[u8]> {
    let (header, image) = file.split_at_checked(HEADER)?;
    let (magic, rest) = header.split_at(MAGIC.len());
    let (length, digest) = rest.split_at(size_of::<u64>());
    let whole =
        magic == MAGIC && length == (image.len() as u64).to_le_bytes() && digest == Sha256::digest(image).as_slice();
    whole.then_some(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { folder: Some(folder.path().join("not").join("there yet")) };
        (folder, cache)
    }

    fn key(text: &str) -> Wanted {
        Wanted::of([text.as_bytes()])
    }

    fn maker() -> Maker {
        Maker::nvrtc((12, 8), ["--gpu-architecture=sm_90"])
    }

    #[test]
    fn what_is_put_comes_back() {
        let (_folder, cache) = cache();
        assert_eq!(cache.get(&key("a"), &maker()), None);
        cache.put(&key("a"), &maker(), b"image");
        assert_eq!(cache.get(&key("a"), &maker()).as_deref(), Some(&b"image"[..]));
        assert_eq!(cache.get(&key("b"), &maker()), None);
        cache.put(&key("a"), &maker(), b"other");
        assert_eq!(cache.get(&key("a"), &maker()).as_deref(), Some(&b"other"[..]));
    }

    #[test]
    fn parts_are_told_apart() {
        let of = |parts: &[&str]| Wanted::of(parts.iter().map(|part| part.as_bytes()));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
        // SHA-256 of eight zero bytes: one empty part.
        assert_eq!(of(&[""]).0, "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
    }

    #[test]
    fn a_compiler_finds_its_own_and_nobody_finds_any() {
        let (_folder, cache) = cache();
        let made = |version| Maker::nvrtc(version, ["--gpu-architecture=sm_90"]);
        assert_eq!(cache.of_any(&key("a"), (12, 8)), None);
        for version in [(12, 4), (12, 10), (12, 9), (13, 1), (13, 0)] {
            cache.put(&key("a"), &made(version), format!("{version:?}").as_bytes());
        }
        cache.put(&key("b"), &made((12, 8)), b"another file's");
        let found = |driver| {
            cache.of_any(&key("a"), driver).map(|(image, version)| (String::from_utf8(image).unwrap(), version))
        };
        assert_eq!(found((12, 10)), Some(("(12, 10)".to_owned(), (12, 10))), "numbers, not letters");
        assert_eq!(found((12, 8)).unwrap().1, (12, 4));
        assert_eq!(found((12, 3)).unwrap().1, (12, 4), "the oldest of those that may be too new");
        assert_eq!(found((14, 0)).unwrap().1, (13, 1));
        assert_eq!(cache.get(&key("a"), &made((12, 8))), None, "a compiler takes what it made itself");
        fs::write(cache.path(&key("a"), &made((13, 1))).unwrap(), "damaged").unwrap();
        assert_eq!(found((14, 0)).unwrap().1, (13, 0));
        for other in ["notes.txt", &format!("{}.nvrtc-x.y-z", key("a").0), &key("a").0] {
            fs::write(cache.folder().unwrap().join(other), "none of ours").unwrap();
        }
        assert_eq!(found((14, 0)).unwrap().1, (13, 0));
    }

    #[test]
    fn a_truncated_or_changed_file_is_none() {
        let (_folder, cache) = cache();
        cache.put(&key("a"), &maker(), b"image");
        let path = cache.path(&key("a"), &maker()).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache.get(&key("a"), &maker()), None, "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(cache.get(&key("a"), &maker()), None, "byte {at}");
        }
        cache.put(&key("a"), &maker(), b"image");
        assert_eq!(cache.get(&key("a"), &maker()).as_deref(), Some(&b"image"[..]));
    }

    #[test]
    fn writers_and_readers_at_once_see_whole_images() {
        let (_folder, cache) = cache();
        let images: Vec<Vec<u8>> = (0..4_u8).map(|n| vec![n; 100_000 + usize::from(n)]).collect();
        cache.put(&key("a"), &maker(), &images[0]);
        std::thread::scope(|scope| {
            for image in &images {
                let cache = cache.clone();
                scope.spawn(move || (0..20).for_each(|_| cache.put(&key("a"), &maker(), image)));
            }
            let read = |_| assert!(images.contains(&cache.get(&key("a"), &maker()).unwrap()));
            (0..50).for_each(read);
        });
        let left = fs::read_dir(cache.folder.as_ref().unwrap()).unwrap().count();
        assert_eq!(left, 1, "temporary files are gone");
    }

    #[test]
    fn a_folder_that_cannot_be_is_no_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache { folder: Some(file.path().to_owned()) };
        cache.put(&key("a"), &maker(), b"image");
        assert_eq!(cache.get(&key("a"), &maker()), None);
        let none = Cache { folder: None };
        none.put(&key("a"), &maker(), b"image");
        assert_eq!(none.get(&key("a"), &maker()), None);
    }

    #[test]
    fn the_folder_follows_the_environment() {
        let with = |pairs: &'static [(&str, &str)]| {
            folder(move |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| PathBuf::from(value)))
        };
        assert_eq!(with(&[("CUDA_GRAPH_CACHE", "/c"), ("HOME", "/h")]), Some(PathBuf::from("/c")));
        assert_eq!(with(&[("CUDA_GRAPH_CACHE", ""), ("HOME", "/h")]), None);
        assert_eq!(with(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]), Some(PathBuf::from("/x/cuda-graph")));
        assert_eq!(with(&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]), Some(PathBuf::from("/h/.cache/cuda-graph")));
        assert_eq!(with(&[]), None);
    }
}
