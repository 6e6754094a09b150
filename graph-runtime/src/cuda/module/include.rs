//! Where a CUDA toolkit's folders may be.

use std::path::{Path, PathBuf};

/// The include folder that has `cuda_fp16.h`, if there is one.
pub(super) fn headers() -> Option<PathBuf> {
    let folders =
        roots().into_iter().flat_map(|root| [root.join("include"), root.join("targets/x86_64-linux/include")]);
    let wheels = wheels().into_iter().map(|wheel| wheel.join("include"));
    folders.chain(wheels).find(|folder| folder.join("cuda_fp16.h").is_file())
}

/// Folders in which CUDA's libraries may be, most wanted first.
pub(in crate::cuda) fn libraries() -> Vec<PathBuf> {
    let folders = roots()
        .into_iter()
        .flat_map(|root| ["lib64", "lib", "targets/x86_64-linux/lib", "bin"].map(|folder| root.join(folder)));
    folders.chain(wheels().into_iter().map(|wheel| wheel.join("lib"))).filter(|folder| folder.is_dir()).collect()
}

/// Where these are looked for, for messages.
pub(in crate::cuda) const PLACES: &str =
    "CUDA_PATH, CUDA_HOME, CONDA_PREFIX, /usr/local/cuda*, /opt/cuda and the pip packages `nvidia-*` of VIRTUAL_ENV";

fn roots() -> Vec<PathBuf> {
    let named = ["CUDA_PATH", "CUDA_HOME", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CONDA_PREFIX"];
    let mut roots: Vec<PathBuf> = named.iter().filter_map(std::env::var_os).map(PathBuf::from).collect();
    roots.push(PathBuf::from("/usr/local/cuda"));
    let mut installed = children(Path::new("/usr/local"), "cuda-");
    installed.reverse();
    roots.extend(installed);
    roots.push(PathBuf::from("/opt/cuda"));
    roots
}

/// Packages of pip's that hold parts of the toolkit: `…/site-packages/nvidia/cuda_runtime`.
fn wheels() -> Vec<PathBuf> {
    let environments = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().filter_map(std::env::var_os).map(PathBuf::from);
    let pythons = environments.flat_map(|root| children(&root.join("lib"), "python3"));
    pythons.flat_map(|python| children(&python.join("site-packages/nvidia"), "")).collect()
}

/// The folder's children whose names start so, sorted.
fn children(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(named).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_those_with_the_prefix_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["cuda-12.8", "cuda-12.3", "cuda", "other"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let names = ["cuda-12.3", "cuda-12.8"].map(|name| folder.path().join(name));
        assert_eq!(children(folder.path(), "cuda-"), names);
        assert!(children(&folder.path().join("missing"), "cuda-").is_empty());
    }
}
