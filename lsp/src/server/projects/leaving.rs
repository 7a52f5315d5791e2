//! Projects that took too much: they are left, told of, and looked at again when something of them is saved.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use banneret_compiler::diagnostic::{Code, ProjectProblem};
use banneret_compiler::manifest::Manifest;
use banneret_projects::library;
use banneret_projects::paths::shown;

use super::State;
use crate::server::budget::Spent;

/// What was left.
pub struct Left {
    /// What the project is called.
    pub name: Option<String>,
    pub touched: BTreeSet<usize>,
}

impl State {
    /// Bytes of text that are looked at.
    pub fn texts(&self) -> u64 {
        self.table.projects.iter().filter(|l| !l.closed && !l.is_left).map(|l| l.size).sum()
    }

    /// Stops everything that runs, and leaves the project that took too much. `anew`: what was worked out so far is dropped too, for it takes memory.
    pub fn leave(&mut self, spent: Spent, anew: bool) -> Left {
        self.workspace.stop();
        let mut left = Left { name: None, touched: BTreeSet::new() };
        if let Some(at) = spent.project
            && let Some(loaded) = Arc::make_mut(&mut self.table).projects.get_mut(at)
        {
            loaded.id = None;
            loaded.is_left = true;
            loaded.prints = Arc::default();
            loaded.problems.push(ProjectProblem {
                code: Code::ProjectLeft,
                headline: format!("This project is left: looking at it took more than {}.", spent.much.words()),
                file: loaded.manifest_text.as_ref().map(|(name, _)| name.clone()),
                span: None,
                help: Some(format!(
                    "Save one of its files to have it looked at again. If you trust it, let it take more: `{}`.",
                    spent.much.more()
                )),
            });
            left.name = Some(loaded.manifest.as_ref().map_or_else(|| shown(&loaded.target.root), |manifest| manifest.name.clone()));
            left.touched.insert(at);
        }
        if anew {
            left.touched.extend(self.renew());
        }
        left
    }

    /// A project that was left is looked at again: something of it has changed on the disk.
    pub(super) fn take_up(&mut self, path: &Path) -> BTreeSet<usize> {
        let home = self.table.by_path.get(path).map(|(at, _)| *at).or_else(|| self.around(path));
        let Some(at) = home.filter(|at| self.table.projects.get(*at).is_some_and(|l| l.is_left)) else { return BTreeSet::new() };
        self.read_again(at);
        self.rehouse();
        BTreeSet::from([at])
    }

    /// Everything is read anew into an empty workspace: nothing else gives back what was worked out in the old one.
    fn renew(&mut self) -> BTreeSet<usize> {
        self.workspace = library::workspace().unwrap_or_default();
        self.cache = Arc::default();
        let all = Arc::make_mut(&mut self.table);
        // all of them at first: what one of them knows is about the old workspace
        for loaded in &mut all.projects {
            (loaded.id, loaded.prints) = (None, Arc::default());
        }
        let again = all.projects.iter().enumerate().filter(|(_, l)| !l.closed && !l.is_left).map(|(at, _)| at);
        let again: BTreeSet<usize> = again.collect();
        for at in &again {
            self.read_again(*at);
        }
        let open: Vec<PathBuf> = self.documents.keys().cloned().collect();
        for path in open {
            self.hand_on(&path);
        }
        again
    }

    fn read_again(&mut self, at: usize) {
        let Some(target) = self.table.projects.get(at).map(|l| l.target.clone()) else { return };
        if self.put(at, &target).is_none() {
            // it is on no disk: what is open of it is handed on
            let manifest = Manifest::loose("loose");
            let id = self.workspace.open(manifest, shown(&target.root), Vec::new());
            if let Some(loaded) = Arc::make_mut(&mut self.table).projects.get_mut(at) {
                (loaded.id, loaded.is_left) = (Some(id), false);
                loaded.problems.retain(|problem| problem.code != Code::ProjectLeft);
            }
        }
    }
}
