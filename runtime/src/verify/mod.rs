//! The verifier: what a pack must satisfy before it may run. A stranger's pack is refused with a reason; whatever passes can at worst
//! fault, never panic.

mod fragments;
mod ids;
mod registers;
mod tables;
mod terms;

use std::fmt;

use crate::pack::{FORMAT, MOST_PLAYERS, Pack};

/// Why a pack was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

type Checked = Result<(), Refused>;

fn refuse<T>(words: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(words.into()))
}

fn need(holds: bool, words: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { refuse(words()) }
}

pub fn verify(pack: &Pack) -> Checked {
    need(pack.format == FORMAT, || format!("the pack has format {}, this machine reads format {FORMAT}", pack.format))?;
    need(pack.players <= MOST_PLAYERS, || format!("the pack has {} players, and at most {MOST_PLAYERS} can play", pack.players))?;
    tables::check(pack)?;
    for (i, fragment) in pack.fragments.iter().enumerate() {
        let named = |Refused(words): Refused| Refused(format!("fragment {i} `{}`: {words}", pack.text(fragment.name)));
        fragments::check(pack, fragment).map_err(named)?;
        registers::check(pack, fragment).map_err(named)?;
    }
    terms::check(pack)
}
