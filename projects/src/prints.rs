//! The check of a project's printed cards, kept file by file: after an edit only files are asked again whose cards may print something else.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use banneret_cards::{Checker, OwnPicture, Said, own_pictures, shared};
use banneret_compiler::api::{PrintedCard, PrintedFile};
use banneret_compiler::diagnostic::Located;
use rayon::prelude::*;

use crate::art::Art;

#[derive(Default)]
pub struct PrintCheck {
    checker: Checker,
    kept: Mutex<HashMap<String, Arc<KeptFile>>>,
}

/// What is known about the cards of one file with the pictures of one moment.
struct KeptFile {
    printed: Arc<PrintedFile>,
    art: Arc<Art>,
    said: OnceLock<Vec<Said>>,
    /// The pictures that no other card may have, with the place of their card.
    own: OnceLock<Vec<(usize, Vec<OwnPicture>)>>,
}

impl PrintCheck {
    /// What is wrong with the cards of a project, of which these are all files. None if it was `stopped`.
    pub fn check(&self, all: &[Arc<PrintedFile>], art: &Arc<Art>, stopped: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Located>> {
        self.check_some(all, art, &|_| true, stopped)
    }

    /// The same of some of its files: only their cards are laid out.
    pub fn check_some(
        &self,
        all: &[Arc<PrintedFile>],
        art: &Arc<Art>,
        wanted: &dyn Fn(&str) -> bool,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Located>> {
        let kept = self.refresh(all, art, true);
        let here: Vec<Arc<KeptFile>> = kept.iter().filter(|k| wanted(&k.printed.file)).cloned().collect();
        let mut found = self.said(&here, art, stopped)?;
        kept.par_iter().filter(|_| !stopped()).for_each(|file| {
            file.own();
        });
        if stopped() {
            return None;
        }
        let own = kept.iter().flat_map(|k| k.own().iter().filter_map(|(at, own)| Some((k.printed.cards.get(*at)?, own.as_slice()))));
        found.extend(shared(own).into_iter().filter(|l| wanted(&l.file)));
        Some(found)
    }

    /// The same for files whose cards need not be compared with any others. None also if some have to be.
    pub fn check_alone(&self, files: &[Arc<PrintedFile>], art: &Arc<Art>, stopped: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Located>> {
        let here = self.refresh(files, art, false);
        match here.iter().all(|file| file.own().is_empty()) {
            true => self.said(&here, art, stopped),
            false => None,
        }
    }

    /// What is said of each card of some files, laid out where that was not done.
    fn said(&self, files: &[Arc<KeptFile>], art: &Arc<Art>, stopped: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Located>> {
        let missing: Vec<&Arc<KeptFile>> = files.iter().filter(|k| k.said.get().is_none()).collect();
        let cards: Vec<&PrintedCard> = missing.iter().flat_map(|k| &k.printed.cards).collect();
        let mut said = self.checker.check_each(&cards, &**art, stopped)?.into_iter();
        for file in missing {
            let _ = file.said.set(said.by_ref().take(file.printed.cards.len()).collect());
        }
        Some(files.iter().filter_map(|k| k.said.get()).flatten().flat_map(|said| said.found.iter().cloned()).collect())
    }

    /// How many faces were laid out so far.
    pub fn laid_out(&self) -> usize {
        self.checker.laid_out()
    }

    /// What is kept of each file; nothing yet of those that changed. If these are all there are, others are forgotten.
    fn refresh(&self, files: &[Arc<PrintedFile>], art: &Arc<Art>, all: bool) -> Vec<Arc<KeptFile>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = if all { std::mem::take(&mut *kept) } else { HashMap::new() };
        let mut out = Vec::with_capacity(files.len());
        for printed in files {
            let known = before.remove(&printed.file).or_else(|| kept.remove(&printed.file));
            let known = known.filter(|k| Arc::ptr_eq(&k.printed, printed) && Arc::ptr_eq(&k.art, art));
            let file = known.unwrap_or_else(|| {
                let (said, own) = (OnceLock::new(), OnceLock::new());
                Arc::new(KeptFile { printed: printed.clone(), art: art.clone(), said, own })
            });
            kept.insert(printed.file.clone(), file.clone());
            out.push(file);
        }
        out
    }
}

impl KeptFile {
    fn own(&self) -> &Vec<(usize, Vec<OwnPicture>)> {
        let read = || self.printed.cards.iter().map(|card| own_pictures(card, &*self.art));
        self.own.get_or_init(|| read().enumerate().filter(|(_, own)| !own.is_empty()).collect())
    }
}

#[cfg(test)]
mod tests {
    use banneret_compiler::api::{ProjectId, Workspace};
    use banneret_compiler::manifest::Manifest;

    use super::*;

    const RULES: &str = "ruleset demo \"Demo\" { version: \"1.0\" }\n\nkind Unit (units) is card {\n  points: Int 1..\n}\n\nface front of Unit {\n  size: poker\n  title \"{name}\" right \"{points}\"\n}\n";

    fn project() -> (Workspace, ProjectId) {
        let texts = [
            ("p/a.banner", "unit A { points: 1 }\nunit B { points: 2 }\n"),
            ("p/b.banner", "unit C { points: 3 }\n"),
            ("p/rules.banner", RULES),
        ];
        let mut workspace = Workspace::new();
        let texts = texts.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        let id = workspace.open(Manifest::loose("p"), "p".into(), texts);
        let found = workspace.check(id).found;
        assert!(found.is_empty(), "{found:?}");
        (workspace, id)
    }

    #[test]
    fn only_what_changed_is_laid_out_again() {
        let (mut workspace, id) = project();
        let (prints, art) = (PrintCheck::default(), Arc::new(Art::in_folder("p".as_ref(), "p".as_ref())));
        let all = |workspace: &Workspace| prints.check(&workspace.printed_by_file(id), &art, &|| false).unwrap();
        // one file alone
        let one = workspace.printed_in(id, &|file| file == "p/b.banner");
        assert_eq!((one.len(), prints.check_alone(&one, &art, &|| false)), (1, Some(Vec::new())));
        assert_eq!(prints.laid_out(), 1);
        assert!(all(&workspace).is_empty());
        assert_eq!(prints.laid_out(), 3);
        // what nothing printed depends on lays nothing out, a card only itself
        workspace.set_text(id, "p/a.banner", Some("// new\nunit A { points: 1 }\nunit B { points: 2 }\n".into()));
        assert!(all(&workspace).is_empty());
        assert_eq!(prints.laid_out(), 3);
        let wide = "Unpronounceableunbreakableunbelievableunbearableunreadable".repeat(2);
        workspace.set_text(id, "p/a.banner", Some(format!("unit A \"{wide}\" {{ points: 1 }}\nunit B {{ points: 2 }}\n")));
        let found = all(&workspace);
        assert!(found.iter().any(|l| l.file == "p/a.banner") && found.iter().all(|l| l.file == "p/a.banner"), "{found:?}");
        assert_eq!(prints.laid_out(), 4);
    }

    #[test]
    fn who_stops_it_is_told_nothing() {
        let (workspace, id) = project();
        let (prints, art) = (PrintCheck::default(), Arc::new(Art::in_folder("p".as_ref(), "p".as_ref())));
        assert!(prints.check(&workspace.printed_by_file(id), &art, &|| true).is_none());
        assert!(prints.check(&workspace.printed_by_file(id), &art, &|| false).is_some());
    }
}
