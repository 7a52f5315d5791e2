//! A game that is put away and taken up again: a save is the machine.

use crate::machine::Machine;
use crate::pack_form::NotAPack;

const MARK: &[u8; 8] = b"BANNSAVE";

impl Machine {
    pub fn save(&self) -> Result<Vec<u8>, NotAPack> {
        postcard::to_extend(self, MARK.to_vec()).map_err(|e| NotAPack(format!("the game cannot be saved: {e}")))
    }

    /// Only for the pack it was saved with: the save does not hold it. Unlike packs, saves are not verified: take them from people you trust.
    pub fn load(bytes: &[u8]) -> Result<Machine, NotAPack> {
        let Some(rest) = bytes.strip_prefix(MARK) else {
            return Err(NotAPack("this is not a saved game".to_owned()));
        };
        match postcard::take_from_bytes::<Machine>(rest) {
            Ok((machine, [])) => Ok(machine),
            Ok((_, more)) => Err(NotAPack(format!("{} bytes follow the end of the saved game", more.len()))),
            Err(e) => Err(NotAPack(format!("the saved game is damaged: {e}"))),
        }
    }
}
