//! The JSON Schemas of the files, generated from the types that read them.

use schemars::schema_for;

use crate::character::CharacterFile;
use crate::motion::MotionFile;
use crate::scene::SceneFile;

/// The file name and text of each schema.
pub fn schemas() -> [(&'static str, String); 3] {
    let text = |schema: schemars::Schema| {
        let mut text = serde_json::to_string_pretty(&schema).expect("a schema has a JSON form");
        text.push('\n');
        text
    };
    [
        ("character.schema.json", text(schema_for!(CharacterFile))),
        ("motion.schema.json", text(schema_for!(MotionFile))),
        ("scene.schema.json", text(schema_for!(SceneFile))),
    ]
}
