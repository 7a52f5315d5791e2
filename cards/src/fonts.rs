//! The bundled fonts: Alegreya Sans for text, Alegreya for titles and numbers. Nothing else is ever used.

use std::sync::{Arc, OnceLock};

use parley::FontContext;
use parley::fontique::{Blob, Collection, CollectionOptions};

/// A bundled font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Font {
    Text,
    Bold,
    Italic,
    Title,
}

pub const ALL: [Font; 4] = [Font::Text, Font::Bold, Font::Italic, Font::Title];

pub const TEXT_FAMILY: &str = "Alegreya Sans";
pub const TITLE_FAMILY: &str = "Alegreya";

impl Font {
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Font::Text => include_bytes!("../fonts/AlegreyaSans-Regular.ttf"),
            Font::Bold => include_bytes!("../fonts/AlegreyaSans-Bold.ttf"),
            Font::Italic => include_bytes!("../fonts/AlegreyaSans-Italic.ttf"),
            Font::Title => include_bytes!("../fonts/Alegreya-ExtraBold.ttf"),
        }
    }
}

struct Loaded {
    collection: Collection,
    /// Identities of the blobs, in the order of [`ALL`].
    ids: Vec<u64>,
}

fn loaded() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
        let mut ids = Vec::new();
        for font in ALL {
            let blob = Blob::new(Arc::new(font.bytes()));
            ids.push(blob.id());
            collection.register_fonts(blob, None);
        }
        Loaded { collection, ids }
    })
}

/// What text is set with; one for each thread.
pub fn context() -> FontContext {
    FontContext { collection: loaded().collection.clone(), source_cache: parley::fontique::SourceCache::default() }
}

/// Which font a run of glyphs is in.
pub fn font_of(id: u64) -> Font {
    let at = loaded().ids.iter().position(|known| *known == id);
    at.and_then(|i| ALL.get(i).copied()).unwrap_or(Font::Text)
}

/// Whether the fonts have a character.
pub fn has(c: char) -> bool {
    use skrifa::MetadataProvider;
    static KNOWN: OnceLock<rustc_hash::FxHashSet<u32>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| match skrifa::FontRef::new(Font::Text.bytes()) {
        Ok(font) => font.charmap().mappings().map(|(code, _)| code).collect(),
        Err(_) => rustc_hash::FxHashSet::default(),
    });
    // marks that join or turn text have no shape of their own
    known.contains(&u32::from(c))
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
