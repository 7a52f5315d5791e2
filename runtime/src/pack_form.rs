//! Packs as bytes and as text. Bytes are for machines: a mark, the format's number, then postcard. Text is RON, for people who want to look.

use std::fmt;

use crate::pack::{FORMAT, Pack};

const MARK: &[u8; 8] = b"BANNERET";
/// Larger packs are not read.
const MOST_BYTES: usize = 256 << 20;

/// Why something is not a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPack(pub String);

impl fmt::Display for NotAPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAPack {}

fn refuse<T>(words: impl Into<String>) -> Result<T, NotAPack> {
    Err(NotAPack(words.into()))
}

impl Pack {
    pub fn to_bytes(&self) -> Result<Vec<u8>, NotAPack> {
        let mut bytes = MARK.to_vec();
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        postcard::to_extend(self, bytes).or_else(|e| refuse(format!("the pack cannot be written: {e}")))
    }

    /// Reads a pack without verifying it: `Loaded::new` does that.
    pub fn from_bytes(bytes: &[u8]) -> Result<Pack, NotAPack> {
        if bytes.len() > MOST_BYTES {
            return refuse(format!("{} bytes are more than a pack may have", bytes.len()));
        }
        let Some(rest) = bytes.strip_prefix(MARK) else {
            return refuse("this is not a Banneret pack");
        };
        let Some((format, rest)) = rest.split_first_chunk::<4>() else {
            return refuse("the pack ends before it begins");
        };
        let format = u32::from_le_bytes(*format);
        if format != FORMAT {
            return refuse(format!("the pack has format {format}, this machine reads format {FORMAT}"));
        }
        match postcard::take_from_bytes::<Pack>(rest) {
            Ok((pack, [])) => Ok(pack),
            Ok((_, more)) => refuse(format!("{} bytes follow the end of the pack", more.len())),
            Err(e) => refuse(format!("the pack is damaged: {e}")),
        }
    }

    /// For people who want to look.
    pub fn to_ron(&self) -> Result<String, NotAPack> {
        let pretty = ron::ser::PrettyConfig::new().depth_limit(4).indentor("  ");
        ron::ser::to_string_pretty(self, pretty).or_else(|e| refuse(format!("the pack cannot be written: {e}")))
    }
}
