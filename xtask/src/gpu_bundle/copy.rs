//! Files of the bundle.

use std::fs;
use std::path::Path;

use crate::Result;

/// Copies a folder's contents, without the entries of these names at its top and without hidden ones.
pub(super) fn folder(from: &Path, to: &Path, without: &[&str]) -> Result {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let skipped = name.to_str().is_none_or(|name| name.starts_with('.') || without.contains(&name));
        if skipped {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(to.join(&name))?;
            folder(&entry.path(), &to.join(&name), &[])?;
        } else {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}

/// Writes an executable file.
pub(super) fn script(path: &Path, text: &str) -> Result {
    fs::write(path, text)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// The bytes of all files below a folder.
pub(super) fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
