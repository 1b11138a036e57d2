//! JSON Schemas of the file formats, generated from the types that read them.

use schemars::transform::transform_subschemas;
use schemars::{Schema, schema_for};
use serde_json::Value;

use crate::character::CharacterFile;
use crate::modes::ModesFile;
use crate::motion::MotionFile;
use crate::scene::SceneFile;

/// Returns the file name and text of each schema.
pub fn schemas() -> [(&'static str, String); 4] {
    let text = |mut schema: Schema| {
        forbid_null(&mut schema);
        let mut text = serde_json::to_string_pretty(&schema).expect("a schema has a JSON form");
        text.push('\n');
        text
    };
    [
        ("character.schema.json", text(schema_for!(CharacterFile))),
        ("modes.schema.json", text(schema_for!(ModesFile))),
        ("motion.schema.json", text(schema_for!(MotionFile))),
        ("scene.schema.json", text(schema_for!(SceneFile))),
    ]
}

/// Removes `null` from optional values: TOML has no null, optional keys are omitted.
fn forbid_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            only.into_iter().for_each(|(key, value)| drop(schema.insert(key, value)));
        }
    }
    transform_subschemas(&mut forbid_null, schema);
}
