//! Verdicts that are known already, by the face they are about: after an edit only the changed card is laid out again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use banneret_compiler::printed::Face;
use rustc_hash::FxHashMap;

use crate::layout::{Layouter, Verdict};

/// A verdict that so many checks did not ask for is forgotten.
const KEPT: u64 = 64;

/// Remembers verdicts.
#[derive(Default)]
pub struct Memo {
    known: Mutex<FxHashMap<u64, Known>>,
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
        if let Some(known) = self.lock().get_mut(&hash) {
            known.asked = check;
            return (known.verdict.clone(), false);
        }
        let verdict = Arc::new(layouter.verdict(face));
        self.lock().insert(hash, Known { verdict: verdict.clone(), asked: check });
        (verdict, true)
    }

    /// Forgets what many checks have not asked for and nobody holds.
    pub fn forget(&self, check: u64) {
        // looking through everything takes longer than laying out one card
        if !check.is_multiple_of(KEPT) {
            return;
        }
        self.lock().retain(|_, known| known.asked + KEPT >= check || Arc::strong_count(&known.verdict) > 1);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<u64, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
