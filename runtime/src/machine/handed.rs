//! What a machine found out about the world and what it has room for make no difference to the game, so copies start without. Whoever runs many copies, one
//! after the other, hands it on.

use super::slots::SlotsOf;
use super::spare::Spare;
use super::{Kept, Machine};

#[derive(Debug, Default)]
pub(crate) struct Handed {
    pub(super) derived: Kept,
    pub(super) slots: SlotsOf,
    spare: Spare,
}

impl Handed {
    /// Forgets what was found out about a world; what was found out about a pack holds as long as it is the same.
    pub fn clear(&mut self) {
        self.derived = Kept::default();
    }
}

impl Machine {
    /// Takes over what another left behind; a second time gives it back.
    pub(crate) fn swap_handed(&mut self, handed: &mut Handed) {
        std::mem::swap(&mut self.apart.derived, &mut handed.derived);
        std::mem::swap(&mut self.apart.spare, &mut handed.spare);
    }
}
