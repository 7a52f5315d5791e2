//! Verdicts that are known already, by the face they are about: after an edit only the changed card is laid out again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use banneret_compiler::printed::Face;
use rustc_hash::FxHashMap;

use crate::layout::{Layouter, Verdict};

/// A verdict that so many checks did not ask for is forgotten.
const KEPT: u64 = 64;

/// Remembers verdicts.
#[derive(Default)]
pub struct Memo {
    known: Mutex<FxHashMap<u64, Known>>,
    /// Layouters with the words they have learned, while nobody uses them.
    layouters: Mutex<Vec<Layouter>>,
}

struct Known {
    verdict: Arc<Verdict>,
    /// The check that asked last.
    asked: u64,
}

/// A number that stands for everything a face prints.
pub fn face_hash(face: &Face) -> u64 {
    let mut hasher = DefaultHasher::new();
    face.hash(&mut hasher);
    hasher.finish()
}

impl Memo {
    /// The verdict about a face, laid out only if it is new. Says also whether it was.
    pub fn verdict(&self, face: &Face, check: u64, layouter: &mut Layouter) -> (Arc<Verdict>, bool) {
        let hash = face_hash(face);
        if let Some(known) = lock(&self.known).get_mut(&hash) {
            known.asked = check;
            return (known.verdict.clone(), false);
        }
        let verdict = Arc::new(layouter.verdict(face));
        lock(&self.known).insert(hash, Known { verdict: verdict.clone(), asked: check });
        (verdict, true)
    }

    /// Works with a layouter that knows words already, if there is one.
    pub fn with_layouter<T>(&self, work: impl FnOnce(&mut Layouter) -> T) -> T {
        let spare = lock(&self.layouters).pop();
        let mut layouter = spare.unwrap_or_default();
        let out = work(&mut layouter);
        lock(&self.layouters).push(layouter);
        out
    }

    /// Forgets what many checks have not asked for and nobody holds.
    pub fn forget(&self, check: u64) {
        // looking through everything takes longer than laying out one card
        if !check.is_multiple_of(KEPT) {
            return;
        }
        lock(&self.known).retain(|_, known| known.asked + KEPT >= check || Arc::strong_count(&known.verdict) > 1);
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
