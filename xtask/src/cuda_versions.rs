//! Checks the crate with the bindings of each CUDA version that it offers.

use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::Result;

pub(crate) const ABOUT: &str = "check graph-runtime with the bindings of every CUDA version from 12.3 on; `some`: oldest, middle and newest; or the versions given";

/// The first version that is supported: 12.3.
const OLDEST: u32 = 12030;

pub(crate) fn run(arguments: &[String]) -> Result {
    pure()?;
    let offered = offered()?;
    let chosen = match arguments {
        [] => offered,
        [word] if word == "some" => some(&offered),
        versions => given(versions, &offered)?,
    };
    for version in chosen {
        let begun = Instant::now();
        let feature = format!("cuda-{version}");
        let features = format!("{feature},cublas,cusolver,cufft");
        let mut check = Command::new(cargo());
        check.args(["check", "--quiet", "--locked", "-p", "graph-runtime", "--features", &features]);
        // The variable would be added to the feature: two versions, of which each type has two definitions.
        check.env_remove("CUDARC_CUDA_VERSION");
        if !check.status()?.success() {
            return Err(format!("graph-runtime does not compile with its feature `{feature}`").into());
        }
        println!("{feature}: {:.1?}", begun.elapsed());
    }
    Ok(())
}

fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Without the feature `cuda` nothing of CUDA is in the program.
fn pure() -> Result {
    let arguments =
        ["tree", "-p", "graph-runtime", "--no-default-features", "-e", "normal", "--prefix", "none", "--locked"];
    let tree = Command::new(cargo()).args(arguments).output()?;
    let tree = String::from_utf8(tree.stdout)?;
    let packages: Vec<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    if !packages.contains(&"graph-ir") {
        return Err("cargo does not tell what graph-runtime depends on".into());
    }
    match packages.iter().find(|package| ["cudarc", "libloading"].contains(package)) {
        Some(package) => Err(format!("graph-runtime depends on {package} without its feature `cuda`").into()),
        None => Ok(()),
    }
}

/// The versions of the bindings that can be chosen, oldest first: each that cudarc has is a feature.
fn offered() -> Result<Vec<u32>> {
    let metadata = Command::new(cargo()).args(["metadata", "--format-version", "1", "--locked"]).output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let [theirs, ours] = [versions(&metadata, "cudarc"), versions(&metadata, "graph-runtime")];
    if theirs.is_empty() || theirs != ours {
        return Err(
            format!("the bindings have versions {theirs:?}, and graph-runtime has features for {ours:?}").into()
        );
    }
    Ok(ours)
}

/// The versions that a package has features for.
fn versions(metadata: &Value, package: &str) -> Vec<u32> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let features = packages.filter(|known| known["name"] == package).filter_map(|known| known["features"].as_object());
    let mut versions: Vec<u32> = features
        .flat_map(|features| features.keys())
        .filter_map(|name| name.strip_prefix("cuda-")?.parse().ok())
        .collect();
    versions.retain(|version| *version >= OLDEST);
    versions.sort_unstable();
    versions
}

fn some(offered: &[u32]) -> Vec<u32> {
    let mut chosen = vec![offered[0], offered[offered.len() / 2], offered[offered.len() - 1]];
    chosen.dedup();
    chosen
}

fn given(versions: &[String], offered: &[u32]) -> Result<Vec<u32>> {
    let known = |text: &String| text.parse().ok().filter(|version| offered.contains(version));
    let chosen = versions.iter().map(|text| known(text).ok_or_else(|| format!("`{text}` is none of {offered:?}")));
    Ok(chosen.collect::<std::result::Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_from_12_3_on_are_read_in_order() {
        let features =
            serde_json::json!({"cuda-13000": [], "cuda-12030": [], "cuda-11080": [], "cuda-version": [], "f16": []});
        let metadata = serde_json::json!({"packages": [{"name": "cudarc", "features": features}, {"name": "other", "features": {}}]});
        assert_eq!(versions(&metadata, "cudarc"), [12030, 13000]);
    }

    #[test]
    fn some_are_the_oldest_one_between_and_the_newest() {
        assert_eq!(some(&[1, 2, 3, 4, 5]), [1, 3, 5]);
        assert_eq!(some(&[1]), [1]);
    }

    #[test]
    fn what_is_not_offered_is_refused_with_what_is() {
        assert_eq!(given(&["12080".to_owned()], &[12030, 12080]).unwrap(), [12080]);
        let told = given(&["12070".to_owned()], &[12030, 12080]).unwrap_err().to_string();
        assert_eq!(told, "`12070` is none of [12030, 12080]");
    }
}
