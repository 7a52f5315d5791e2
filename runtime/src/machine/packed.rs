//! Values in a word each, so that small states are compared and found again as plain numbers. What does not fit into a word is kept once and named by a
//! number.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::ids::ObjId;
use crate::value::{Dice, Value};

/// Equal words of one `Packer` are equal values.
pub type Packed = u64;

/// The same for the same words.
#[inline(always)]
pub fn mark(words: &[Packed]) -> u64 {
    let mut hasher = FxHasher::default();
    words.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

#[derive(Default)]
pub struct Packer {
    /// What fits into no word, each once.
    others: Vec<Value>,
    /// Where they are, by their hash; those with the same hash stand in one list.
    at: FxHashMap<u64, Vec<u32>>,
}

pub(super) const TAG: u64 = 7;
const NONE: u64 = 0;
pub(super) const BOOL: u64 = 1;
pub(super) const INT: u64 = 2;
const OBJ: u64 = 3;
const DICE: u64 = 4;
const OTHER: u64 = 5;

/// None: it is too large for a word.
#[inline(always)]
pub(super) fn int_word(n: i64) -> Option<Packed> {
    ((n << 3) >> 3 == n).then_some((n << 3) as u64 | INT)
}

#[inline(always)]
pub(super) fn bool_word(yes: bool) -> Packed {
    (yes as u64) << 3 | BOOL
}

/// Sides and a bonus that take up to 16 bits, and 29 for how many. None: they take more.
#[inline(always)]
pub(super) fn dice_word(dice: Dice) -> Option<Packed> {
    let Dice { count, sides, plus } = dice;
    let fits = count >> 29 == 0 && sides >> 16 == 0 && plus as i16 as i32 == plus;
    fits.then_some((count as u64) << 35 | (sides as u64) << 19 | (plus as u16 as u64) << 3 | DICE)
}

/// What fits into a word.
#[inline(always)]
pub(super) fn simple(value: &Value) -> Option<Packed> {
    match value {
        Value::Int(n) => int_word(*n),
        Value::None => Some(NONE),
        Value::Bool(yes) => Some(bool_word(*yes)),
        Value::Obj(id) => Some((id.0 as u64) << 3 | OBJ),
        Value::Dice(dice) => dice_word(*dice),
        _ => None,
    }
}

impl Packer {
    /// Forgets what it has kept.
    pub fn clear(&mut self) {
        if !self.others.is_empty() {
            self.others.clear();
            self.at.clear();
        }
    }

    #[inline(always)]
    pub fn pack(&mut self, value: &Value) -> Packed {
        match simple(value) {
            Some(word) => word,
            None => self.keep(value),
        }
    }

    #[cold]
    fn keep(&mut self, value: &Value) -> Packed {
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        let same = self.at.entry(hasher.finish()).or_default();
        let known = same.iter().find(|i| self.others.get(**i as usize) == Some(value));
        let index = known.copied().unwrap_or_else(|| {
            same.push(self.others.len() as u32);
            self.others.push(value.clone());
            self.others.len() as u32 - 1
        });
        (index as u64) << 3 | OTHER
    }

    /// Most values are numbers and come where numbers were.
    #[inline(always)]
    pub fn unpack(&self, packed: Packed, slot: &mut Value) {
        if packed & TAG == INT {
            let n = packed as i64 >> 3;
            match slot {
                Value::Int(old) => *old = n,
                other => *other = Value::Int(n),
            }
            return;
        }
        *slot = self.value(packed);
    }

    pub fn value(&self, packed: Packed) -> Value {
        match packed & TAG {
            NONE => Value::None,
            BOOL => Value::Bool(packed >> 3 != 0),
            INT => Value::Int(packed as i64 >> 3),
            OBJ => Value::Obj(ObjId((packed >> 3) as u32)),
            DICE => Value::Dice(Dice {
                count: (packed >> 35) as u32,
                sides: (packed >> 19) as u16 as u32,
                plus: (packed >> 3) as u16 as i16 as i32,
            }),
            _ => self.others.get((packed >> 3) as usize).cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back_and_equal_words_are_equal_values() {
        let list = |n: i64| Value::List([Value::Int(n), Value::None].into());
        let dice = |count, sides, plus| Value::Dice(Dice { count, sides, plus });
        let numbers = [0, 1, -1, 1 << 60, -(1 << 60), (1 << 60) - 1, i64::MAX, i64::MIN].map(Value::Int);
        let mut all =
            vec![Value::None, Value::Bool(true), Value::Bool(false), Value::Obj(ObjId(0)), Value::Obj(ObjId(u32::MAX)), Value::InPlay];
        all.extend(numbers);
        all.extend([list(1), list(2), dice(1, 6, 0), dice(1, 6, -1), dice(2, 6, 1), dice(u32::MAX, 6, 0), dice(1, u32::MAX, 0)]);
        all.extend([dice(1, 6, i32::MAX), dice((1 << 29) - 1, (1 << 16) - 1, i16::MIN as i32)]);
        let mut packer = Packer::default();
        let packed: Vec<Packed> = all.iter().map(|value| packer.pack(value)).collect();
        for (value, word) in all.iter().zip(&packed) {
            assert_eq!((packer.value(*word), packer.pack(value)), (value.clone(), *word));
            for start in [Value::Int(7), list(3)] {
                let mut slot = start;
                packer.unpack(*word, &mut slot);
                assert_eq!(slot, *value);
            }
        }
        let mut different = packed.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), packed.len());
    }
}
