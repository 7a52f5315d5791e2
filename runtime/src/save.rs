//! A game that is put away and taken up again: a save is the machine, and a mark of the pack it belongs to.

use crate::loaded::Loaded;
use crate::machine::Machine;
use crate::pack_form::NotAPack;

const MARK: &[u8; 8] = b"BANNSAVE";
/// Larger saves are not read.
const MOST_BYTES: usize = 64 << 20;

fn refuse<T>(words: impl Into<String>) -> Result<T, NotAPack> {
    Err(NotAPack(words.into()))
}

impl Machine {
    pub fn save(&self, pack: &Loaded) -> Result<Vec<u8>, NotAPack> {
        let mut bytes = MARK.to_vec();
        bytes.extend_from_slice(&pack.fingerprint().to_le_bytes());
        postcard::to_extend(self, bytes).or_else(|e| refuse(format!("the game cannot be saved: {e}")))
    }

    /// Takes a game up again with the pack it was saved with. What was not saved by a machine is refused with a reason; whatever is let in can at worst
    /// fault.
    pub fn load(bytes: &[u8], pack: &Loaded) -> Result<Machine, NotAPack> {
        if bytes.len() > MOST_BYTES {
            return refuse(format!("{} bytes are more than a saved game may have", bytes.len()));
        }
        let Some(rest) = bytes.strip_prefix(MARK) else {
            return refuse("this is not a saved game");
        };
        let Some((fingerprint, rest)) = rest.split_first_chunk::<8>() else {
            return refuse("the saved game is cut off");
        };
        if u64::from_le_bytes(*fingerprint) != pack.fingerprint() {
            return refuse("this game was saved with other rules, or with another version of them");
        }
        let machine = match postcard::take_from_bytes::<Machine>(rest) {
            Ok((machine, [])) => machine,
            Ok((_, more)) => return refuse(format!("{} bytes follow the end of the saved game", more.len())),
            Err(e) => return refuse(format!("the saved game is damaged: {e}")),
        };
        match machine.validate(pack) {
            Ok(()) => Ok(machine.rested()),
            Err(words) => refuse(format!("the saved game is damaged: it speaks of {words}")),
        }
    }
}
