//! The bundled fonts: Alegreya Sans for text, Alegreya for titles and numbers, and Noto for letters that those do not have. Nothing else is
//! ever used.

use std::sync::{Arc, OnceLock};

use parley::fontique::{Blob, Collection, CollectionOptions};
use parley::{FontContext, FontFamilyName};

/// A bundled font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Font {
    Text,
    Bold,
    Italic,
    Title,
    Hebrew,
    Arabic,
    /// In one colour, as letters are.
    Emoji,
}

pub const ALL: [Font; 7] = [Font::Text, Font::Bold, Font::Italic, Font::Title, Font::Hebrew, Font::Arabic, Font::Emoji];

const HEBREW: FontFamilyName = FontFamilyName::named("Noto Sans Hebrew");
const ARABIC: FontFamilyName = FontFamilyName::named("Noto Naskh Arabic");
const EMOJI: FontFamilyName = FontFamilyName::named("Noto Emoji");

/// Where letters are looked for, the first family first.
pub const TEXT_FAMILIES: &[FontFamilyName] = &[FontFamilyName::named("Alegreya Sans"), HEBREW, ARABIC, EMOJI];
pub const TITLE_FAMILIES: &[FontFamilyName] = &[FontFamilyName::named("Alegreya"), HEBREW, ARABIC, EMOJI];

impl Font {
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Font::Text => include_bytes!("../fonts/AlegreyaSans-Regular.ttf"),
            Font::Bold => include_bytes!("../fonts/AlegreyaSans-Bold.ttf"),
            Font::Italic => include_bytes!("../fonts/AlegreyaSans-Italic.ttf"),
            Font::Title => include_bytes!("../fonts/Alegreya-ExtraBold.ttf"),
            Font::Hebrew => include_bytes!("../fonts/NotoSansHebrew-Regular.ttf"),
            Font::Arabic => include_bytes!("../fonts/NotoNaskhArabic-Regular.ttf"),
            Font::Emoji => include_bytes!("../fonts/NotoEmoji-Regular.ttf"),
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
    let known = KNOWN.get_or_init(|| {
        let read = [Font::Text, Font::Hebrew, Font::Arabic, Font::Emoji].map(|font| skrifa::FontRef::new(font.bytes()));
        read.iter().flatten().flat_map(|font| font.charmap().mappings().map(|(code, _)| code)).collect()
    });
    // marks that join or turn text have no shape of their own
    known.contains(&u32::from(c))
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
