//! Writes bodies that differ from the human, and scenes for them, into a folder.
//!
//! ```sh
//! cargo run -p clamber-testing --example write_bodies -- target/bodies
//! clamber plan target/bodies/ladder-human-one-armed.toml
//! ```

use std::path::{Path, PathBuf};

use clamber_testing::bodies;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("target/bodies"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/space");
    for body in bodies::all() {
        std::fs::write(folder.join(format!("{}.toml", body.name)), &body.character)?;
        std::fs::write(folder.join(format!("{}.modes.toml", body.name)), &body.modes)?;
        for scene in ["straight", "stairs-up", "duct", "climb", "ladder", "wall"] {
            let text = std::fs::read_to_string(scenes.join(format!("{scene}-human.toml")))?;
            std::fs::write(folder.join(format!("{scene}-{}.toml", body.name)), bodies::scene_for(&text, &body))?;
        }
    }
    println!("wrote {}", folder.display());
    Ok(())
}
