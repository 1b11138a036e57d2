//! Markers of a node: its name or its `extras` say whether it is an obstacle and which holds it has.
//!
//! Extras are `{"clamber": {"holds": false}}`, or the flat custom properties that modeling programs export: `clamber_holds`. Tools without
//! extras mark with the end of the name: `lamp-noholds`.

use clamber_model::world::HoldType;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::common_field_types::LARGEST;
use crate::suggest_name::{abbreviate, suggest};

/// Whether a reader looks for markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Markers {
    /// Nodes are plain meshes.
    Ignored,
    /// Nodes may be marked.
    Read,
}

/// The markers of a node. `None` leaves it to the node above, and finally to the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NodeMarkers {
    /// Whether it is decoration, and no obstacle.
    pub ignore: Option<bool>,
    /// Whether its surface has holds.
    pub holds: Option<bool>,
    /// The types of the sides that have holds; not empty.
    pub types: Option<Vec<HoldType>>,
    /// The spacing of point holds, in meters.
    pub every: Option<f32>,
    /// The coefficient of friction of its surface.
    pub friction: Option<f32>,
}

/// What is wrong with a marker, and how to mend it.
pub(crate) type MessageAndHelp = (String, String);

const KEYS: [&str; 5] = ["ignore", "holds", "types", "every", "friction"];

/// The key in extras that holds all markers, and the beginning of flat ones.
const TABLE: &str = "clamber";
const FLAT: &str = "clamber_";

impl NodeMarkers {
    /// Returns the markers at the end of a name: `rail-pendent`, `rail-pendent-hybrid.001`.
    pub fn of_name(name: &str) -> Self {
        let mut markers = Self::default();
        let mut rest = without_number(name.trim()).to_ascii_lowercase();
        let mut types = Vec::new();
        'suffixes: loop {
            for kind in HoldType::ALL {
                if let Some(before) = rest.strip_suffix(&format!("-{}", kind.keyword())) {
                    types.push(kind);
                    rest = before.to_owned();
                    continue 'suffixes;
                }
            }
            if let Some(before) = rest.strip_suffix("-noholds") {
                markers.holds = Some(false);
                rest = before.to_owned();
            } else if let Some(before) = rest.strip_suffix("-ignore") {
                markers.ignore = Some(true);
                rest = before.to_owned();
            } else {
                break;
            }
        }
        types.sort_unstable();
        types.dedup();
        markers.types = (!types.is_empty()).then_some(types);
        markers
    }

    /// Returns the markers in the extras of a node.
    pub fn of_extras(extras: &RawValue) -> Result<Self, MessageAndHelp> {
        // Most extras are of other programs. Those are not even parsed, whatever their size.
        if !extras.get().contains(TABLE) {
            return Ok(Self::default());
        }
        let Ok(values) = serde_json::from_str::<Map<String, Value>>(extras.get()) else { return Ok(Self::default()) };
        let mut markers = Self::default();
        for (key, value) in &values {
            match (key.strip_prefix(FLAT), value) {
                (Some(marker), value) => markers.set((key, marker), value)?,
                (None, Value::Object(table)) if key == TABLE => {
                    for (marker, value) in table {
                        markers.set((&format!("{TABLE}.{marker}"), marker), value)?;
                    }
                }
                (None, _) if key == TABLE => {
                    let message = format!("`{TABLE}` in its extras is not a table");
                    return Err((message, format!("write {{\"{TABLE}\": {{\"holds\": false}}}}")));
                }
                _ => {}
            }
        }
        Ok(markers)
    }

    /// Returns these markers, and those of `above` where there are none.
    pub fn or(self, above: &Self) -> Self {
        Self {
            ignore: self.ignore.or(above.ignore),
            holds: self.holds.or(above.holds),
            types: self.types.or_else(|| above.types.clone()),
            every: self.every.or(above.every),
            friction: self.friction.or(above.friction),
        }
    }

    /// Sets a marker. Errors call it by its full key.
    fn set(&mut self, (key, marker): (&str, &str), value: &Value) -> Result<(), MessageAndHelp> {
        let name = abbreviate(key);
        let is_given = match marker {
            "ignore" => self.ignore.replace(truth(&name, value)?).is_some(),
            "holds" => self.holds.replace(truth(&name, value)?).is_some(),
            "types" => self.types.replace(types(&name, value)?).is_some(),
            "every" => self.every.replace(number(&name, value)?).is_some(),
            "friction" => self.friction.replace(number(&name, value)?).is_some(),
            _ => return Err((format!("there is no marker `{name}`"), suggest(marker, &KEYS))),
        };
        match is_given {
            true => Err((format!("`{name}` is given twice"), format!("keep `{TABLE}.{marker}` or `{FLAT}{marker}`"))),
            false => Ok(()),
        }
    }
}

/// Returns a name without the number that programs append to copies: `rail.001`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => name,
    }
}

/// Older programs export check boxes as 0 and 1.
fn truth(key: &str, value: &Value) -> Result<bool, MessageAndHelp> {
    let number = || value.as_f64().filter(|number| *number == 0.0 || *number == 1.0).map(|number| number == 1.0);
    value.as_bool().or_else(number).ok_or_else(|| wrong(key, value, "true or false"))
}

fn number(key: &str, value: &Value) -> Result<f32, MessageAndHelp> {
    let number = value.as_f64().filter(|number| number.abs() <= LARGEST);
    number.map(|number| number as f32).ok_or_else(|| wrong(key, value, "a number"))
}

/// A list of types, or a text with commas.
fn types(key: &str, value: &Value) -> Result<Vec<HoldType>, MessageAndHelp> {
    let expected = "a list of `load-bearing`, `pendent` and `hybrid`";
    let words: Option<Vec<&str>> = match value {
        Value::String(text) => Some(text.split(',').map(str::trim).collect()),
        Value::Array(list) => list.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let words = words.filter(|words| !words.is_empty()).ok_or_else(|| wrong(key, value, expected))?;
    let known = HoldType::ALL.map(HoldType::keyword);
    if let Some(unknown) = words.iter().find(|word| !known.contains(word)) {
        return Err((format!("`{key}` has the unknown type `{}`", abbreviate(unknown)), suggest(unknown, &known)));
    }
    Ok(HoldType::ALL.into_iter().filter(|kind| words.contains(&kind.keyword())).collect())
}

fn wrong(key: &str, value: &Value, expected: &str) -> MessageAndHelp {
    (format!("`{key}` is `{}`", abbreviate(&value.to_string())), format!("write {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_extras(text: &str) -> Result<NodeMarkers, MessageAndHelp> {
        NodeMarkers::of_extras(&RawValue::from_string(text.to_owned()).unwrap())
    }

    #[test]
    fn names_mark_with_their_end() {
        let plain = NodeMarkers::default();
        for name in ["table", "noholds", "ignore", "table-noholds-top", "noholds.001", "a.b-c", ""] {
            assert_eq!(NodeMarkers::of_name(name), plain, "{name}");
        }
        for name in ["lamp-noholds", "Lamp-NoHolds.012"] {
            assert_eq!(NodeMarkers::of_name(name), NodeMarkers { holds: Some(false), ..plain.clone() }, "{name}");
        }
        assert_eq!(NodeMarkers::of_name("plant-ignore"), NodeMarkers { ignore: Some(true), ..plain.clone() });
        let types = Some(vec![HoldType::LoadBearing, HoldType::Hybrid]);
        assert_eq!(NodeMarkers::of_name("rail-hybrid-load-bearing.3"), NodeMarkers { types, ..plain });
    }

    #[test]
    fn extras_mark_in_a_table_or_flat() {
        let markers = NodeMarkers {
            ignore: Some(false),
            holds: Some(true),
            types: Some(vec![HoldType::LoadBearing, HoldType::Pendent]),
            every: Some(0.25),
            friction: Some(0.5),
        };
        let table = r#"{"color": 3, "clamber": {"ignore": false, "holds": 1, "types": ["pendent", "load-bearing"], "every": 0.25, "friction": 0.5}}"#;
        let flat = r#"{"clamber_ignore": 0, "clamber_holds": true, "clamber_types": "pendent, load-bearing", "clamber_every": 0.25, "clamber_friction": 0.5}"#;
        assert_eq!(of_extras(table).unwrap(), markers);
        assert_eq!(of_extras(flat).unwrap(), markers);
        for other in ["{\"a\": 1}", "[\"clamber\"]", "\"clamber_holds\"", "null"] {
            assert_eq!(of_extras(other).unwrap(), NodeMarkers::default(), "{other}");
        }
    }

    #[test]
    fn broken_markers_say_how_to_mend_them() {
        for (extras, message, help) in [
            ("{\"clamber\": false}", "`clamber` in its extras is not a table", "{\"clamber\": {\"holds\": false}}"),
            ("{\"clamber\": {\"hold\": false}}", "there is no marker `clamber.hold`", "`holds`"),
            ("{\"clamber_frction\": 1}", "there is no marker `clamber_frction`", "`friction`"),
            ("{\"clamber_holds\": \"no\"}", "`clamber_holds` is `\"no\"`", "true or false"),
            ("{\"clamber_friction\": \"high\"}", "`clamber_friction` is `\"high\"`", "a number"),
            ("{\"clamber_types\": []}", "`clamber_types` is `[]`", "a list of"),
            ("{\"clamber_types\": \"pendant\"}", "the unknown type `pendant`", "`pendent`"),
            ("{\"clamber_holds\": true, \"clamber\": {\"holds\": true}}", "is given twice", "keep"),
        ] {
            let (found, found_help) = of_extras(extras).unwrap_err();
            assert!(found.contains(message) && found_help.contains(help), "{extras}: {found} | {found_help}");
        }
    }
}
