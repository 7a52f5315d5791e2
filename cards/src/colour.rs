//! Colours: what a faction is known by, and what can be read on it.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Colour(pub [u8; 3]);

pub const INK: Colour = Colour([0x1c, 0x1a, 0x18]);
pub const PAPER: Colour = Colour([0xff, 0xff, 0xff]);
/// Reminders and flavour.
pub const FADED: Colour = Colour([0x4a, 0x47, 0x43]);
/// In drafts: what does not fit.
pub const ALARM: Colour = Colour([0xc6, 0x18, 0x18]);
/// What a card has that names no colour.
pub const SLATE: Colour = Colour([0x3b, 0x41, 0x4b]);

impl Colour {
    /// `#7a1f1f` or `#721`.
    pub fn read(text: &str) -> Option<Self> {
        let hex = text.trim().strip_prefix('#')?;
        let digits: Vec<u8> = hex.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect::<Option<_>>()?;
        match digits.as_slice() {
            [r, g, b] => Some(Self([r * 17, g * 17, b * 17])),
            [a, b, c, d, e, f] => Some(Self([a * 16 + b, c * 16 + d, e * 16 + f])),
            _ => None,
        }
    }

    /// How bright it looks, from 0 to 1.
    pub fn brightness(self) -> f32 {
        let [r, g, b] = self.0.map(|c| f32::from(c) / 255.0);
        0.299 * r + 0.587 * g + 0.114 * b
    }

    /// Mixed with another; `share` is how much of the other.
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let mut out = self.0;
        for (a, b) in out.iter_mut().zip(other.0) {
            *a = (f32::from(*a) * (1.0 - share) + f32::from(b) * share).round().clamp(0.0, 255.0) as u8;
        }
        Self(out)
    }

    /// Dark enough to be read on paper, in black and white too.
    pub fn as_ink(self) -> Self {
        let mut ink = self;
        while ink.brightness() > 0.38 {
            ink = ink.mixed(INK, 0.2);
        }
        ink
    }

    /// What can be read on it.
    pub fn letters(self) -> Self {
        if self.brightness() < 0.58 { PAPER } else { INK }
    }

    pub fn hex(self) -> String {
        let [r, g, b] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read() {
        assert_eq!(Colour::read("#7a1f0b"), Some(Colour([0x7a, 0x1f, 0x0b])));
        assert_eq!(Colour::read("#fa0"), Some(Colour([0xff, 0xaa, 0])));
        for wrong in ["", "red", "#12", "#12345g", "#1234567", "123456", "#é12"] {
            assert_eq!(Colour::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn letters_stand_out_from_their_ground() {
        for ground in [PAPER, INK, SLATE, Colour([0xff, 0xd0, 0x20]), Colour([0x20, 0x60, 0xd0]), Colour([0x80, 0x80, 0x80])] {
            assert!((ground.brightness() - ground.letters().brightness()).abs() > 0.4, "{ground:?}");
            assert!(ground.as_ink().brightness() <= 0.38, "{ground:?}");
        }
    }
}
