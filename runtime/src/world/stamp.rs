//! A mark that tells one moment of a world from another, so that what was found out about it can be remembered.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ids::FieldId;

/// Two worlds with the same stamp agree in everything that rules in force may depend on: copies share it, and whatever changes a world gives it a new
/// one. It makes no difference to the game, so all stamps are equal.
#[derive(Clone, Copy, Debug)]
pub struct Stamp(u64);

/// Threads take numbers by the block: only one in so many has to be asked for.
const BLOCK: u64 = 1 << 20;
static BLOCKS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

impl Stamp {
    /// One that no world ever had.
    pub fn fresh() -> Stamp {
        NEXT.with(|next| {
            let mut n = next.get();
            if n % BLOCK == 0 {
                n = BLOCKS.fetch_add(1, Ordering::Relaxed) * BLOCK + 1;
            }
            next.set(n + 1);
            Stamp(n)
        })
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

impl Default for Stamp {
    fn default() -> Stamp {
        Stamp::fresh()
    }
}

impl PartialEq for Stamp {
    fn eq(&self, _: &Stamp) -> bool {
        true
    }
}

impl Eq for Stamp {}

impl Hash for Stamp {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// How many groups of fields are told apart. The last is no field: where things stand.
const GROUPS: usize = 64;
const PLACES: usize = GROUPS - 1;

/// When state last changed, for each group of fields: a term that looks at some of them is the same as long as these are, whatever happens to the others.
#[derive(Clone, Copy, Debug)]
pub struct Marks([u64; GROUPS]);

impl Default for Marks {
    fn default() -> Marks {
        Marks([0; GROUPS])
    }
}

impl Marks {
    /// The group of a field, as one bit.
    pub fn of(field: FieldId) -> u64 {
        1 << (field.index() % PLACES)
    }

    /// The group of places, as one bit.
    pub const fn places() -> u64 {
        1 << PLACES
    }

    pub(super) fn set_places(&mut self, now: Stamp) {
        self.0[PLACES] = now.0;
    }

    pub(super) fn set(&mut self, field: FieldId, now: Stamp) {
        self.0[field.index() % PLACES] = now.0;
    }

    /// Those of some groups.
    pub fn each(&self, groups: u64) -> impl Iterator<Item = u64> + '_ {
        let mut left = groups;
        std::iter::from_fn(move || {
            let next = self.0.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(*next)
        })
    }
}

impl PartialEq for Marks {
    fn eq(&self, _: &Marks) -> bool {
        true
    }
}

impl Eq for Marks {}

impl Hash for Marks {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_alike_on_any_thread() {
        let many = || (0..1000).map(|_| Stamp::fresh().number()).collect::<Vec<_>>();
        let other = std::thread::spawn(many);
        let mut all = many();
        all.extend(other.join().unwrap_or_default());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2000);
    }
}
