//! Pictures of a project, read from its folder, each once.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use banneret_cards::picture::{Picture, Pictures, Unreadable};

use crate::sources::Project;

type Known = Result<Arc<Picture>, Unreadable>;

pub struct Art {
    root: PathBuf,
    folder: PathBuf,
    known: Mutex<HashMap<String, Known>>,
}

impl Art {
    pub fn of(project: &Project) -> Self {
        let root = project.target.root.clone();
        let folder = project.manifest.as_ref().map_or_else(|| root.clone(), |m| root.join(&m.art));
        Self { root, folder, known: Mutex::default() }
    }

    /// A picture is named from the folder for pictures, or from the folder of the project.
    fn read(&self, path: &str) -> Known {
        let named = Path::new(path);
        if named.is_absolute() {
            return Err(Unreadable::Outside);
        }
        let found = [self.folder.join(named), self.root.join(named)].into_iter().find(|p| p.is_file());
        let found = found.ok_or(Unreadable::Missing)?;
        // a project shows only what is in it
        let (real, root) = (found.canonicalize(), self.root.canonicalize());
        if !matches!((&real, &root), (Ok(real), Ok(root)) if real.starts_with(root)) {
            return Err(Unreadable::Outside);
        }
        let bytes = fs::read(&found).map_err(|e| Unreadable::Broken(e.to_string()))?;
        Picture::read(&bytes).map(Arc::new)
    }
}

impl Pictures for Art {
    fn picture(&self, path: &str) -> Known {
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let read = self.read(path);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), read.clone());
        read
    }
}
