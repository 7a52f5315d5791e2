//! Numbers that stand for things in a pack or a world. Each is an index into the table its name says.

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// `Pack::strings`
    StrId,
    /// `Pack::consts`
    ConstId,
    /// `Pack::kinds`
    KindId,
    /// `Pack::fields`
    FieldId,
    /// `Pack::cards`
    CardId,
    /// `Pack::symbols`: enum members and choices of options
    SymId,
    /// `Pack::keywords`
    KeywordId,
    /// `Pack::actions`
    ActionId,
    /// `Pack::fragments`
    FragId,
    /// `Pack::bundles`
    BundleId,
    /// `Pack::options`
    OptId,
    /// `Pack::facts`
    FactId,
    /// `Pack::chooses`
    ChooseId,
    /// `Pack::menus`
    MenuId,
    /// `Pack::grants`
    GrantId,
    /// `Pack::pasts`
    PastId,
    /// `Pack::sites`: places in the source that a failure, a question or a blame points at
    SiteId,
    /// An object of a world: a card in play or in a pile, a part of one, a player, the game.
    ObjId,
}

/// A register of the running fragment.
pub type Reg = u16;
/// An index of an instruction of the running fragment.
pub type Pc = u32;
