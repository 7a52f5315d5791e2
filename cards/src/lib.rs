//! Printed cards: faces set in real type, checked against the room there is, and written as SVG, PNG and PDF.
//!
//! One layout decides both the check and the print: [`layout`] turns a filled-in face into a list of things to draw and a verdict, and the
//! writers only repeat that list. Fonts are bundled, so that every machine gives the same card. Deliberately absent: reading sources (the
//! compiler says what a card prints), finding files (whoever calls hands pictures over), and anything about a particular game.

pub mod units;
pub mod colour;
mod fonts;
mod typography;
mod text;
pub mod display;
pub mod picture;
pub mod layout;
mod memo;
mod mends;
mod pictures;
mod reference;
mod check;
mod outline;
mod svg;
mod png;
mod pdf;
pub mod sheet;

pub use check::{Checker, Said};
pub use memo::face_hash;
pub use pdf::pdf;
pub use pictures::{OwnPicture, own_pictures, shared};
pub use png::png;
pub use reference::reference_cards;
pub use svg::svg;
