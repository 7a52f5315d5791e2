//! Keys: what a named thing is called from anywhere.
//!
//! `module/Name` is an item, `module/Name.part` what stands in one (a part of a card, a field of a kind, a member of an enum), `module/action@value` a value of an action's
//! events. Keys are put together and taken apart here and nowhere else: a module may have dots itself (`@factions.crimson`), which is easily forgotten.

use smol_str::SmolStr;

use crate::hir::Key;

/// `module/Name`
pub fn key_of(module: &str, name: &str) -> Key {
    joined(module, "/", name)
}

/// `module/Name.member`
pub fn member_key(of: &str, member: &str) -> Key {
    joined(of, ".", member)
}

/// `module/action@value`
pub fn event_value_key(action: &str, value: &str) -> Key {
    joined(action, "@", value)
}

/// Two names with a sign between. Keys are made for every card and its parts, so it is done without a `String` on the way.
pub(crate) fn joined(a: &str, sign: &str, b: &str) -> SmolStr {
    let mut room = [0_u8; 120];
    let mut end = 0;
    for text in [a, sign, b] {
        let Some(place) = room.get_mut(end..end + text.len()) else { return [a, sign, b].concat().into() };
        place.copy_from_slice(text.as_bytes());
        end += text.len();
    }
    str::from_utf8(&room[..end]).map_or_else(|_| [a, sign, b].concat().into(), SmolStr::new)
}

/// `module/Name.part` → `module`, `Name.part`. None: it is no key.
pub fn split_key(key: &str) -> Option<(&str, &str)> {
    key.split_once('/')
}

/// `module/Name.part` → `Name.part`
pub fn short(key: &str) -> &str {
    split_key(key).map_or(key, |(_, name)| name)
}

/// `module/Name.part` → `module`
pub fn module_of_key(key: &str) -> &str {
    split_key(key).map_or("", |(module, _)| module)
}

/// `module/Name.part` → `module`, `Name`: the item that declares it.
pub fn item_of_key(key: &str) -> Option<(&str, &str)> {
    split_key(item_key(key))
}

/// `module/Name.part` → `module/Name`
pub fn item_key(key: &str) -> &str {
    let name = key.len() - short(key).len();
    key[name..].find(['.', '@']).map_or(key, |end| &key[..name + end])
}

/// `module/Name.part.inner` → `module/Name.part`, `inner`. None: it is a whole item.
pub fn owner_and_member(key: &str) -> Option<(&str, &str)> {
    let name = key.len() - short(key).len();
    let dot = name + key[name..].rfind('.')?;
    Some((&key[..dot], &key[dot + 1..]))
}

/// `module/Name.part` → `part`, `module/Name` → `Name`, `module/action@value` → `value`: what is written.
pub fn last_name(key: &str) -> &str {
    short(key).rsplit(['.', '@']).next().unwrap_or(key)
}

/// What a key is the key of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyParts<'k> {
    /// `module/Name`
    Whole(&'k str),
    /// `module/Owner.name`
    Inside(&'k str, &'k str),
    /// `module/action@name`
    OfEvent(&'k str, &'k str),
}

pub fn key_parts(key: &str) -> KeyParts<'_> {
    let item = item_key(key);
    match (key.get(item.len()..item.len() + 1), key.get(item.len() + 1..)) {
        (Some("@"), Some(value)) => KeyParts::OfEvent(item, value),
        (Some(_), Some(member)) => KeyParts::Inside(item, member),
        _ => KeyParts::Whole(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_have_dots() {
        let card = key_of("@factions.crimson", "Reaver");
        let part = member_key(&card, "Axe");
        let inner = member_key(&part, "Edge");
        assert_eq!((card.as_str(), part.as_str()), ("@factions.crimson/Reaver", "@factions.crimson/Reaver.Axe"));
        assert_eq!([item_key(&card), item_key(&part), item_key(&inner)], [&card; 3]);
        assert_eq!(item_of_key(&inner), Some(("@factions.crimson", "Reaver")));
        assert_eq!([owner_and_member(&card), owner_and_member(&inner)], [None, Some((part.as_str(), "Edge"))]);
        assert_eq!([last_name(&card), last_name(&inner)], ["Reaver", "Edge"]);
        assert_eq!(key_parts(&card), KeyParts::Whole(&card));
        assert_eq!(key_parts(&inner), KeyParts::Inside(&card, "Axe.Edge"));
    }

    #[test]
    fn a_value_of_an_event() {
        let key = event_value_key("@/deal", "amount");
        assert_eq!((key.as_str(), last_name(&key)), ("@/deal@amount", "amount"));
        assert_eq!(key_parts(&key), KeyParts::OfEvent("@/deal", "amount"));
        assert_eq!((item_key(&key), module_of_key(&key)), ("@/deal", "@"));
    }

    #[test]
    fn long_keys_are_whole() {
        let name = "x".repeat(200);
        assert_eq!(key_of("m", &name), format!("m/{name}"));
    }
}
