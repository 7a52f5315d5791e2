//! `banneret.lock`: what was fetched into a project, so that everybody builds on the same.

use std::path::{Path, PathBuf};

use banneret_compiler::manifest::{Need, Origin};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::ReadError;
use crate::files;
use crate::paths::plain;

/// The name of the file, beside the manifest.
pub const LOCK_NAME: &str = "banneret.lock";
/// Where fetched packages are, below the project.
pub const STORE: &str = ".banneret/packages";
/// The largest file of a package, in bytes.
const LARGEST: u64 = files::LARGEST_PICTURE;
/// Said at the top of the file.
const HEADER: &str = "// Written by `banneret update` and `banneret vendor`: keep it with the project, and leave it as it is.\n";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    pub packages: Vec<Locked>,
}

/// A package that is in the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    pub name: String,
    pub version: String,
    /// Where it came from, as one text.
    pub from: String,
    /// The commit of its repository.
    pub commit: Option<String>,
    /// Its folder in the store.
    pub folder: String,
    /// SHA-256 over its files.
    pub hash: String,
}

impl Lock {
    /// The lock of a project; none if it has none or one that cannot be read, which is as if nothing had been fetched.
    pub fn read(root: &Path) -> Option<Lock> {
        let bytes = files::text_in(root, &root.join(LOCK_NAME)).ok()?;
        let lock: Lock = ron::from_str(str::from_utf8(&bytes).ok()?).ok()?;
        // a folder of the store is one name, and leads nowhere else
        let is_plain = |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':']);
        lock.packages.iter().all(|locked| is_plain(&locked.folder)).then_some(lock)
    }

    pub fn write(&self, root: &Path) -> Result<(), ReadError> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::new())
            .map_err(|e| ReadError::new(format!("The lock cannot be written: {e}.")))?;
        files::write_in(root, &root.join(LOCK_NAME), format!("{HEADER}{text}\n").as_bytes())
    }

    /// What is in the store for a need of the package in a folder.
    pub fn find(&self, folder: &Path, root: &Path, need: &Need) -> Option<&Locked> {
        let from = source(folder, root, need)?;
        self.packages.iter().find(|locked| locked.from == from)
    }
}

/// Where a package comes from, as one text: the same for everybody who needs it. `folder` is that of the package which needs it.
pub fn source(folder: &Path, root: &Path, need: &Need) -> Option<String> {
    match &need.origin {
        Origin::BuiltIn => None,
        Origin::Git { url, tag } => Some(format!("git {url} {tag}")),
        Origin::Path(path) => {
            let there = plain(&folder.join(path));
            Some(format!("path {}", relative(&there, &plain(root))))
        }
    }
}

/// The way from a folder to a path, with `/`.
pub fn relative(path: &Path, from: &Path) -> String {
    let shared = path.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Every file of a package: its path below the folder, with `/`, and its bytes. What is hidden, made by programs or a link is no part of it.
pub fn content(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    let mut out = Vec::new();
    let mut left = files::LARGEST_PROJECT;
    let mut waiting: Vec<(PathBuf, String)> = vec![(folder.to_owned(), String::new())];
    while let Some((at, below)) = waiting.pop() {
        for path in files::list(&at).map_err(|e| ReadError::file("read the folder", &at, &e))? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if name.starts_with('.') || files::is_link(&path) || crate::walk::SKIPPED.contains(&name) {
                continue;
            }
            if files::is_folder(&path) {
                waiting.push((path.clone(), format!("{below}{name}/")));
            } else if files::is_file(&path) {
                let bytes = files::read_in(folder, &path, LARGEST).map_err(|e| ReadError::file("read", &path, &e))?;
                left = left.checked_sub(bytes.len() as u64).ok_or_else(|| ReadError::new("The package is too large.".to_owned()))?;
                out.push((format!("{below}{name}"), bytes));
            }
            if out.len() + waiting.len() > files::MOST_ENTRIES {
                return Err(ReadError::file("read the folder", folder, &files::too_many()));
            }
        }
    }
    out.sort();
    Ok(out)
}

/// SHA-256 over the names and bytes of the files of a package.
pub fn hash(folder: &Path) -> Option<String> {
    let mut hasher = Sha256::new();
    for (path, bytes) in content(folder).ok()? {
        hasher.update((path.len() as u64).to_le_bytes());
        hasher.update(path.as_bytes());
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
    }
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
