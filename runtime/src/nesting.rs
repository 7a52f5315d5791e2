//! Reading values that hold values. A few bytes could ask for lists a million deep, and the reader's stack would pay for it: nesting is
//! counted and refused.

use std::cell::Cell;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error};

use crate::value::Value;

const DEEPEST: u32 = 32;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn deeper<T, E: Error>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let depth = DEPTH.get();
    if depth >= DEEPEST {
        return Err(E::custom("values inside values, too deep"));
    }
    DEPTH.set(depth + 1);
    let result = read();
    DEPTH.set(depth);
    result
}

pub(crate) fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[Value]>, D::Error> {
    deeper(|| Arc::<[Value]>::deserialize(from))
}

pub(crate) fn pair<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[Value; 2]>, D::Error> {
    deeper(|| Arc::<[Value; 2]>::deserialize(from))
}
