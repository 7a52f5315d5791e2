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
    /// What is wrong with the cards of the files that are wanted, given those of all files. None if it was `stopped`.
    pub fn check(
        &self,
        files: &[Arc<PrintedFile>],
        art: &Arc<Art>,
        wanted: &dyn Fn(&str) -> bool,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Located>> {
        let kept = self.refresh(files, art);
        let missing: Vec<&Arc<KeptFile>> = kept.iter().filter(|k| wanted(&k.printed.file) && k.said.get().is_none()).collect();
        let cards: Vec<&PrintedCard> = missing.iter().flat_map(|k| &k.printed.cards).collect();
        let mut said = self.checker.check_each(&cards, &**art, stopped)?.into_iter();
        for file in missing {
            let _ = file.said.set(said.by_ref().take(file.printed.cards.len()).collect());
        }
        kept.par_iter().filter(|_| !stopped()).for_each(|file| {
            file.own();
        });
        if stopped() {
            return None;
        }
        let here = kept.iter().filter(|k| wanted(&k.printed.file)).filter_map(|k| k.said.get()).flatten();
        let mut found: Vec<Located> = here.flat_map(|said| said.found.iter().cloned()).collect();
        let own = kept.iter().flat_map(|k| k.own().iter().filter_map(|(at, own)| Some((k.printed.cards.get(*at)?, own.as_slice()))));
        found.extend(shared(own).into_iter().filter(|l| wanted(&l.file)));
        Some(found)
    }

    /// How many cards have to be looked at before these files can be spoken of.
    pub fn unknown(&self, files: &[Arc<PrintedFile>], art: &Arc<Art>) -> usize {
        let kept = self.refresh(files, art);
        kept.iter().filter(|k| k.said.get().is_none()).map(|k| k.printed.cards.len()).sum()
    }

    /// Whether the cards of a file were looked at since they last changed.
    pub fn knows(&self, file: &str) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(file).is_some_and(|k| k.said.get().is_some())
    }

    /// How many faces were laid out so far.
    pub fn laid_out(&self) -> usize {
        self.checker.laid_out()
    }

    /// What is kept of each file; nothing yet of those that changed.
    fn refresh(&self, files: &[Arc<PrintedFile>], art: &Arc<Art>) -> Vec<Arc<KeptFile>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = std::mem::take(&mut *kept);
        for printed in files {
            let known = before.remove(&printed.file).filter(|k| Arc::ptr_eq(&k.printed, printed) && Arc::ptr_eq(&k.art, art));
            let file = known.unwrap_or_else(|| {
                let (said, own) = (OnceLock::new(), OnceLock::new());
                Arc::new(KeptFile { printed: printed.clone(), art: art.clone(), said, own })
            });
            kept.insert(printed.file.clone(), file);
        }
        files.iter().filter_map(|printed| kept.get(&printed.file).cloned()).collect()
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
        let all = |workspace: &Workspace| prints.check(&workspace.printed_by_file(id), &art, &|_| true, &|| false).unwrap();
        // one file alone
        let files = workspace.printed_by_file(id);
        assert_eq!(prints.unknown(&files, &art), 3);
        assert!(prints.check(&files, &art, &|file| file == "p/b.banner", &|| false).is_some());
        assert_eq!((prints.laid_out(), prints.unknown(&files, &art)), (1, 2));
        assert!(prints.knows("p/b.banner") && !prints.knows("p/a.banner"));
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
        assert!(prints.check(&workspace.printed_by_file(id), &art, &|_| true, &|| true).is_none());
        assert!(prints.check(&workspace.printed_by_file(id), &art, &|_| true, &|| false).is_some());
    }
}
