//! The committed JSON Schemas match the types that read the files.

use std::path::Path;

use clamber_io::schemas;

/// Run with `UPDATE_SCHEMAS=1` after a format change, and review the difference.
#[test]
fn committed_schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some_and(|value| value == "1");
    for (name, text) in schemas() {
        let file = folder.join(name);
        if update {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == text, "schemas/{name} is not that of the format; run this test with UPDATE_SCHEMAS=1");
    }
    let known: Vec<&str> = schemas().iter().map(|(name, _)| *name).collect();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(known.iter().any(|known| name == *known), "schemas/{} is of no format", name.display());
    }
}
