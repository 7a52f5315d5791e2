//! The short text is read like the whole one.

#![allow(clippy::expect_used)]

use super::*;

#[path = "../../../tests/src/files.rs"]
#[allow(dead_code)]
mod house;

/// Every file of the language there is here.
fn files() -> Vec<String> {
    let samples = house::below(&house::house().join("grammar/tests/samples"), ".banner");
    samples.into_iter().chain(house::sources()).map(|path| house::text(&path)).collect()
}

/// Reads an item both ways, and short with and without the memory of shapes: it must be all the same. Gives whether it is read short if it
/// is right.
fn both(text: &str) -> bool {
    let plain = layout(text);
    if plain.too_deep {
        return false;
    }
    let whole = strict_whole(text, &plain.text);
    let shape = shorten(&plain.text);
    let short = shape.as_ref().and_then(|short| strict_short(text, &plain.text, short));
    let anew = shape.as_ref().and_then(|short| {
        let nodes = shapes::read(&short.text)?;
        built(text, Match { nodes: &nodes, plain: &plain.text, places: Some(&short.places) })
    });
    assert_eq!(short, anew, "{text}");
    // what is right may be refused in short, and then takes longer; but never the other way round
    assert!(short.is_none() || short.as_ref() == whole.as_ref().ok(), "{text}");
    short.is_some() || whole.is_err()
}

#[test]
fn the_short_text_has_the_same_shape() {
    let texts = files();
    assert!(texts.len() > 20);
    for text in &texts {
        for chunk in split(text) {
            assert!(both(chunk.text(text)), "only the whole text is right: {}", chunk.text(text));
        }
    }
}

#[test]
fn broken_items_are_broken_in_short_too() {
    let mut seed = 1_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below.max(1)
    };
    for text in files() {
        let chunks = split(&text);
        for _ in 0..20 {
            let item = chunks[random(chunks.len())].text(&text);
            let (from, to) = (random(item.len()), random(item.len()));
            let (from, to) = (item.floor_char_boundary(from), item.floor_char_boundary(to));
            // a stretch moved elsewhere, a stretch left out, a cut
            both(&format!("{}{}", &item[..from], &item[to..]));
            both(&format!("{}{}{}", &item[..from], &item[from.min(to)..to], &item[from..]));
            both(&item[..to]);
        }
    }
}

#[test]
fn strings_and_marks_keep_their_ends() {
    for line in [
        r#"says "a \" b""#,
        r#"says "a \\""#,
        r#"says "" "#,
        "says \"\"\"one\n  two\"\"\"",
        r#"reach: 6""#,
        r#"x "a" "b""#,
        r#"x "a""b""#,
        r#"x """"#,
        r#"x """""#,
        r#"x """""""#,
        r#"says "open"#,
        "says \"open\nsays \"closed\"",
    ] {
        both(&format!("unit A {{\n  {line}\n}}"));
    }
}

#[test]
fn fields_that_only_look_simple() {
    let values = r#"d6|d6x|2d6|2d6+1|4+|4+x|4+ x|4+(2)|6/4|6/4+|1.5|1.5s|1_|1_s|12s|12s.x|6"|6"x|50%|1 AP|1  AP|1 ap|1AP|1 AP x
        |x y|x.y|x + 1|-1|[a, b]|[a b]|[a,]|[]|[ ]|[1, 2+, d6]|[a: 1]|[[a]]|"a"|"a" b|""|if|if x { 1 } else { 2 }|ü|aü
        ||a{}|{}|a }|a; b: 1|a,,b: 2"#;
    for value in values.split('|').map(str::trim) {
        for before in ["", "x: 1, ", "x { } ", "let y = 1, "] {
            both(&format!("unit A {{\n  {before}y: {value}\n}}"));
            both(&format!("unit A {{ {before}y: {value} }}"));
            both(&format!("unit A {{ {before}y: {value}, z: 2 }}"));
            both(&format!("kind A {{ {before}y: {value}\n z: Int 2.. }}"));
            both(&format!("unit A {{ {before}table d6 {{ 1 -> y: {value}, 2 -> 3 }} }}"));
        }
    }
}

#[test]
fn cards_of_one_shape_keep_their_words_and_places() {
    let card = |name: &str, steps: u32, says: &str, indent: &str| {
        format!("unit {name} {{\n{indent}points: {steps}\n{indent}grant this {{ move +{steps}s }} // why\n{indent}says \"{says}\"\n}}")
    };
    let texts = [card("A", 1, "", "  "), card("Bowman", 120, "", "    "), card("C", 3, "x", " "), card("Dd", 33, "long words", "  ")];
    let shape = |text: &String| shorten(&layout(text).text).expect("no string is open").text;
    assert_eq!(shape(&texts[0]), shape(&texts[1]));
    assert_eq!(shape(&texts[2]), shape(&texts[3]));
    for text in texts.iter().chain(&texts) {
        assert!(both(text), "{text}");
    }
}

#[test]
fn the_memory_of_shapes_is_bounded() {
    // every one has another shape, and together they are more than is kept
    let text = |lines: usize| format!("unit A {{\n{}}}", "a { b 1 + 1 }\n".repeat(lines));
    let mut forgotten = 0;
    for lines in 200..300 {
        let before = shapes::kept_bytes();
        assert!(shapes::matched(&text(lines)).is_some());
        forgotten += usize::from(shapes::kept_bytes() < before);
        assert!(shapes::kept_bytes() <= shapes::MOST_BYTES);
    }
    assert!(forgotten > 0);
    let before = shapes::kept_bytes();
    assert!(shapes::matched(&text(5000)).is_some());
    assert_eq!(shapes::kept_bytes(), before, "one that is too large is not kept");
}
