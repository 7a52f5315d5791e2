//! Ways through a fragment in packed words. A state is packed already, and most of what stands between two dice is whole numbers and conditions: it is carried
//! out on the words themselves, and no value is unpacked. Whatever is anything else is left to those who know values.

use std::rc::Rc;

use super::local::Alone;
use super::packed::{Packed, simple};
use super::wording::{OTHER, ROOM, Wording};

/// What a fragment holds: its registers, the values of its event, and the numbers that it is written with.
pub(crate) struct Words {
    pub all: [Packed; ROOM],
    loaded: bool,
    /// They did not lead on: this fragment does other things too.
    pub off: bool,
}

impl Default for Words {
    fn default() -> Words {
        Words { all: [OTHER; ROOM], loaded: false, off: false }
    }
}

impl Words {
    pub fn clear(&mut self) {
        (self.loaded, self.off) = (false, false);
    }
}

impl Alone<'_> {
    /// How many registers and values it has.
    #[inline(always)]
    pub(super) fn holds_words(&self) -> (usize, usize) {
        (self.fragment.registers as usize, self.values().len())
    }

    /// The short cuts of the fragment for words. All that it holds is there then, as words. None: they are for another one.
    #[inline(always)]
    pub fn in_words(&mut self, words: &mut Words) -> Option<Rc<Wording>> {
        let wording = match self.slots.wording() {
            Some(wording) => wording,
            None => {
                let made = Rc::new(self.make_wording());
                self.slots.keep_wording(&made);
                made
            }
        };
        if !wording.is_of(self.holds_words()) || self.s.limits.list_length == 0 {
            return None;
        }
        if !words.loaded {
            words.loaded = true;
            let registers = self.s.regs.get(self.base..self.base + self.fragment.registers as usize).unwrap_or_default();
            let (values, numbers) = (self.values(), wording.numbers());
            let mut all = words.all.iter_mut();
            all.by_ref().zip(registers).for_each(|(word, value)| *word = simple(value).unwrap_or(OTHER));
            all.by_ref().zip(values).for_each(|(word, value)| *word = simple(value).unwrap_or(OTHER));
            all.zip(numbers).for_each(|(word, number)| *word = *number);
        }
        Some(wording)
    }

    /// Steps between two answers.
    #[inline(always)]
    pub fn steps_at_most(&self) -> u64 {
        self.s.limits.steps
    }
}
