//! How a path is shown to people, and the same everywhere: relative to where they are, with `/`.

use std::path::{Component, Path, PathBuf};

pub fn shown(path: &Path) -> String {
    let plain = plain(path);
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| plain.strip_prefix(here).ok()).unwrap_or(&plain);
    let text = relative.display().to_string();
    let text = if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace('\\', "/") };
    if text.is_empty() { ".".to_owned() } else { text }
}

/// A file of a project. If people are somewhere inside the project its files are not shortened: a path is below its project's in any case.
pub fn shown_in(root: &Path, path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let (root, path) = (plain(root), plain(path));
    if root.starts_with(&here) || !path.starts_with(&root) {
        return shown(&path);
    }
    let text = path.display().to_string();
    if std::path::MAIN_SEPARATOR == '/' { text } else { text.replace('\\', "/") }
}

/// Without `.` parts; with `name/..` taken out where that cannot go wrong by a link.
pub fn plain(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                if crate::files::is_link(&result) {
                    result.push("..");
                } else {
                    result.pop();
                }
            }
            other => result.push(other),
        }
    }
    result
}

/// The same path from the root of the file system, links kept.
pub fn absolute(path: &Path) -> PathBuf {
    plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_short() {
        assert_eq!(shown(Path::new("./a/./b.banner")), "a/b.banner");
        assert_eq!(shown(Path::new("no_such/../b")), "b");
        assert_eq!(shown(Path::new("../b")), "../b");
        assert_eq!(shown(Path::new(".")), ".");
        assert_eq!(shown(&absolute(Path::new("x/y"))), "x/y");
    }
}
