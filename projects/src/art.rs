//! Pictures of a project, read from its folder, each once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use banneret_cards::picture::{self, Picture, Pictures, Unreadable};

use crate::files;
use crate::project::Project;
use crate::walk::SKIPPED;

/// How the names of files end that can be printed.
pub const ENDINGS: [&str; 4] = ["svg", "png", "jpg", "jpeg"];

/// Folders of pictures below each other that are looked into.
const DEEPEST: usize = 8;

/// Files and folders that are looked at to find the names of pictures.
const MOST: usize = 20_000;

/// Dots of all pictures of a project together: reading them takes time, and what is read is kept.
const MOST_DOTS: u64 = 400_000_000;

type Known = Result<Arc<Picture>, Unreadable>;

/// Which file it was, when it was written and how long it is.
type Stamp = (PathBuf, Option<SystemTime>, u64);

pub struct Art {
    root: PathBuf,
    folder: PathBuf,
    known: Mutex<HashMap<String, (Option<Stamp>, Known)>>,
}

impl Art {
    pub fn of(project: &Project) -> Self {
        let root = &project.target.root;
        match &project.manifest {
            Some(manifest) => Self::in_folder(root, &root.join(&manifest.art)),
            None => Self::in_folder(root, root),
        }
    }

    pub fn in_folder(root: &Path, folder: &Path) -> Self {
        Self { root: root.to_owned(), folder: folder.to_owned(), known: Mutex::default() }
    }

    /// The same pictures after a file changed on the disk: what may be that file is read again.
    pub fn after_change_of(&self, changed: &Path) -> Self {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // links and folders above may lead to it by another path, its own name stays; a folder may hold any of them
        let name = changed.extension().and(changed.file_name());
        let same = |path: &String| name.is_some_and(|name| Path::new(path).file_name() != Some(name));
        let known = known.iter().filter(|(path, _)| same(path)).map(|(path, known)| (path.clone(), known.clone()));
        Self { root: self.root.clone(), folder: self.folder.clone(), known: Mutex::new(known.collect()) }
    }

    /// The same pictures as they are on the disk now, if any has changed: for those who are not told.
    pub fn looked_at_again(&self) -> Option<Self> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let same: HashMap<_, _> = known
            .iter()
            .filter(|(path, (stamp, _))| *stamp == self.stamp(path))
            .map(|(path, known)| (path.clone(), known.clone()))
            .collect();
        (same.len() < known.len()).then(|| Self { root: self.root.clone(), folder: self.folder.clone(), known: Mutex::new(same) })
    }

    fn stamp(&self, named: &str) -> Option<Stamp> {
        let file = self.file(named)?;
        let (written, length) = files::stamp(&file)?;
        Some((file, written, length))
    }

    /// Names of the pictures that a card may show, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let (mut waiting, mut left) = (vec![(self.folder.clone(), String::new(), 0)], MOST);
        while let Some((folder, above, depth)) = waiting.pop() {
            for path in files::list(&folder).unwrap_or_default().into_iter().take(left) {
                left -= 1;
                let Some(name) = path.file_name().and_then(|n| n.to_str()) else { continue };
                if name.starts_with('.') || SKIPPED.contains(&name) {
                    continue;
                }
                let name = format!("{above}{name}");
                if is_picture(&name) {
                    names.push(name);
                } else if depth < DEEPEST && files::is_folder(&path) && !files::is_link(&path) {
                    waiting.push((path, format!("{name}/"), depth + 1));
                }
            }
        }
        names.sort();
        names
    }

    /// The file that a card means. It is named from the folder for pictures, or from the folder of the project.
    pub fn file(&self, named: &str) -> Option<PathBuf> {
        [&self.folder, &self.root].into_iter().map(|folder| folder.join(named)).find(|p| files::is_file(p))
    }

    fn read(&self, path: &str) -> Known {
        if Path::new(path).is_absolute() {
            return Err(Unreadable::Outside);
        }
        let found = self.file(path).ok_or(Unreadable::Missing)?;
        // a project shows only what is in it
        let bytes = files::read_in(&self.root, &found, files::LARGEST_PICTURE).map_err(|e| match files::is_leading_out(&e) {
            true => Unreadable::Outside,
            false => Unreadable::Broken(files::why(&e)),
        })?;
        // before it is read: that is what takes time
        let dots = picture::dots_in(&bytes);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let dots_of = |picture: &Picture| picture.dots.map_or(0, |(w, h)| u64::from(w) * u64::from(h));
        let all: u64 = known.values().filter_map(|(_, known)| known.as_deref().ok()).map(dots_of).sum();
        drop(known);
        if all + dots.min(MOST_DOTS) > MOST_DOTS {
            let words = format!("the pictures of this project have more than {} million dots together", MOST_DOTS / 1_000_000);
            return Err(Unreadable::Broken(words));
        }
        Picture::read(&bytes).map(Arc::new)
    }
}

pub fn is_picture(name: &str) -> bool {
    Path::new(name).extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e.to_ascii_lowercase().as_str()))
}

impl Pictures for Art {
    fn picture(&self, path: &str) -> Known {
        if let Some((_, known)) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        // before it is read: a change in between is seen later
        let stamp = self.stamp(path);
        let read = self.read(path);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), (stamp, read.clone()));
        read
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const DRAWING: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>";

    #[test]
    fn pictures_are_named_from_their_folder_and_read_again_when_they_change() {
        let root = std::env::temp_dir().join(format!("banneret-art-{}", std::process::id()));
        let folder = root.join("art");
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(folder.join("deep/a.SVG"), DRAWING).unwrap();
        fs::write(folder.join("notes.txt"), "").unwrap();
        let art = Art::in_folder(&root, &folder);
        assert_eq!(art.names(), ["deep/a.SVG"]);
        assert!(art.picture("deep/a.SVG").is_ok() && art.picture("art/deep/a.SVG").is_ok());
        assert_eq!(art.picture("b.svg").err(), Some(Unreadable::Missing));
        assert_eq!(art.picture("/b.svg").err(), Some(Unreadable::Outside));
        fs::write(folder.join("b.svg"), DRAWING).unwrap();
        fs::remove_file(folder.join("deep/a.SVG")).unwrap();
        assert!(art.picture("b.svg").is_err(), "read once");
        let again = art.looked_at_again().unwrap();
        assert!(again.picture("b.svg").is_ok() && again.picture("deep/a.SVG").is_err(), "as they are now");
        assert!(again.looked_at_again().is_none(), "nothing has changed since");
        let later = art.after_change_of(&folder.join("b.svg"));
        assert!(later.picture("b.svg").is_ok() && later.picture("deep/a.SVG").is_ok(), "only the file that was named");
        assert!(later.after_change_of(&folder).picture("deep/a.SVG").is_err(), "a folder: everything");
        fs::remove_dir_all(&root).unwrap();
    }
}
