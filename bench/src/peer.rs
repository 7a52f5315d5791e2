//! The peer: the same cards as JSON, validated against an equivalent schema.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time to validate parsed cards, and to read them from text first.
pub fn validate(cards: &[Value]) -> (Duration, Duration) {
    let validator = match jsonschema::validator_for(&schema()) {
        Ok(v) => v,
        Err(e) => {
            eprintln!("the peer's schema is wrong: {e}");
            return (Duration::ZERO, Duration::ZERO);
        }
    };
    let texts: Vec<String> = cards.iter().map(Value::to_string).collect();
    let start = Instant::now();
    let wrong = cards.iter().filter(|c| !validator.is_valid(c)).count();
    let alone = start.elapsed();
    if wrong > 0 {
        eprintln!("{wrong} cards do not fit the peer's schema");
    }
    let start = Instant::now();
    let mut read = 0;
    for text in &texts {
        if let Ok(card) = serde_json::from_str::<Value>(text) {
            // errors are gathered, as a checker must
            read += usize::from(validator.iter_errors(&card).next().is_none());
        }
    }
    let whole = start.elapsed();
    if read != cards.len() {
        eprintln!("the peer read {read} of {} cards", cards.len());
    }
    (alone, whole)
}

fn schema() -> Value {
    let name = json!({"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*$"});
    let modifiers = json!({"type": "array", "items": {"type": "object", "required": ["field", "add"], "additionalProperties": false,
        "properties": {"field": {"enum": ["points", "base", "health", "move", "defense", "leadership", "aim"]}, "add": {"type": "integer"}}}});
    let step = json!({"oneOf": [
        {"type": "object", "required": ["verb", "amount", "to"], "additionalProperties": false,
         "properties": {"verb": {"enum": ["deal", "heal"]}, "amount": {"type": "integer", "minimum": 0}, "to": name}},
        {"type": "object", "required": ["verb", "to", "modifiers", "until"], "additionalProperties": false,
         "properties": {"verb": {"const": "grant"}, "to": name, "modifiers": modifiers, "until": {"enum": ["end of round", "end of activation"]}}}
    ]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["kind", "name", "of", "points", "base", "health", "move"],
        "additionalProperties": false,
        "properties": {
            "kind": {"const": "unit"}, "name": name, "title": {"type": "string"}, "of": {"enum": ["BenchFaction"]},
            "points": {"type": "integer", "minimum": 1}, "base": {"type": "number", "minimum": 1, "maximum": 4},
            "health": {"type": "integer", "minimum": 1}, "move": {"type": "number", "minimum": 0}, "defense": {"type": "integer", "minimum": 0},
            "types": {"type": "array", "uniqueItems": true, "items": {"enum": ["Reactive", "Plate", "Ward"]}},
            "training": {"type": "array", "uniqueItems": true, "items": {"enum": ["Support", "Leadership", "Iron", "Blood", "Ash", "Salt"]}},
            "weapons": {"type": "array", "items": {"type": "object", "required": ["name", "reach", "attacks", "damage"], "additionalProperties": false,
                "properties": {"name": name, "reach": {"type": "array", "uniqueItems": true, "items": {"enum": ["Melee", "Near", "Ranged", "Heavy"]}},
                    "knack": {"type": "integer", "minimum": 2, "maximum": 6}, "attacks": {"type": "integer", "minimum": 1},
                    "damage": {"type": "integer", "minimum": 1},
                    "effective": {"type": "array", "uniqueItems": true, "items": {"enum": ["Reactive", "Plate", "Ward"]}}}}},
            "abilities": {"type": "array", "items": {"type": "object", "required": ["name", "effect"], "additionalProperties": false,
                "properties": {"name": name, "knack": {"type": "integer", "minimum": 2, "maximum": 6},
                    "cost": {"type": "object", "additionalProperties": false, "properties": {"AP": {"type": "integer", "minimum": 0}}},
                    "target": {"type": "object", "required": ["noun"], "additionalProperties": false, "properties": {
                        "noun": {"enum": ["units", "tokens"]}, "whose": {"enum": ["your", "enemy"]},
                        "within": {"type": "object", "required": ["length", "of"], "additionalProperties": false,
                            "properties": {"length": {"type": "number", "minimum": 0}, "of": name}},
                        "where": {"type": "object", "required": ["field", "op", "value"], "additionalProperties": false,
                            "properties": {"field": name, "op": {"enum": ["<", "<=", ">", ">=", "==", "!="]}, "value": {"type": "integer"}}}}},
                    "after": {"type": "object", "required": ["verb"], "additionalProperties": false,
                        "properties": {"verb": {"enum": ["strike", "destroy", "move", "deal"]}, "by": name}},
                    "effect": {"type": "array", "items": step}}}}
        }
    })
}
