//! A course as the text of a scene file.

use std::fmt::Write;

use clamber_io::InfeasibleSegment;

use super::draft::{Draft, Holds, Outline, Point, Solid, Stand};

/// How far the ground goes on below the lowest floor, in metres.
const DEPTH: f64 = 1.5;

/// The room above the highest floor in which a motion is looked for, in metres.
const HEADROOM: f64 = 3.0;

/// Where the hips are above the feet of one who stands, in metres.
const HIPS: f64 = 0.9;

/// The text of the scene file: `title` is its comment, and `character` a built-in character or a path relative to the scene file.
pub(super) fn scene_text(draft: &Draft, name: &str, title: &str, character: &str) -> String {
    let (low, high) = draft.heights();
    let (bottom, top) = (low - DEPTH, high + HEADROOM);
    let mut text = format!(
        "# {title}\n\nversion = 1\nname = {}\ncharacter = {}\nbounds = {{ min = {}, max = {} }}\n",
        quoted(name),
        quoted(character),
        place([0.0, low]),
        place([draft.at[0], top]),
    );
    if let Some(broken) = &draft.broken {
        text.push_str(&broken_text(broken));
    }
    for stretch in &draft.stretches {
        write!(text, "\n# {}\n", stretch.note).expect("text takes all");
        for solid in &stretch.solids {
            text.push_str(&solid_text(solid, bottom, top + 1.0));
        }
    }
    text.push_str(&stand_text("start", draft.start));
    text.push_str(&stand_text("goal", draft.goal));
    text
}

fn broken_text(broken: &InfeasibleSegment) -> String {
    let InfeasibleSegment { segment, kind, cause, min, max, why } = broken;
    let corner = |corner: &clamber_model::math::Vec3| place([corner.x.into(), corner.y.into()]);
    format!(
        "\n# No motion leads from start to goal, on purpose.\n[broken]\nsegment = {segment}\nkind = {}\ncause = {}\n\
         min = {}\nmax = {}\nwhy = {}\n",
        quoted(kind),
        quoted(cause.word()),
        corner(min),
        corner(max),
        quoted(why),
    )
}

fn solid_text(solid: &Solid, bottom: f64, top: f64) -> String {
    let outline = match &solid.outline {
        Outline::Ground(line) => {
            let (first, last) = (line[0], line[line.len() - 1]);
            polygon_text(&[line, &[[last[0], bottom], [first[0], bottom]][..]].concat())
        }
        Outline::Polygon(corners) => polygon_text(corners),
        Outline::Box([min, max]) => box_text(*min, *max),
        Outline::Closing([min, max]) => box_text(*min, [max[0], top]),
    };
    let holds = match solid.holds {
        Holds::Bare => String::new(),
        Holds::Floor(every) => format!("holds = {{ every = {}, types = [\"load-bearing\"] }}\n", number(every)),
        Holds::Wall(every) => {
            format!("holds = {{ every = {}, types = [\"hybrid\", \"load-bearing\"] }}\n", number(every))
        }
        Holds::Bar => "holds = { every = 0.1, types = [\"pendent\"] }\n".to_owned(),
    };
    format!("\n[[obstacle]]\nname = {}\n{outline}{holds}", quoted(&solid.name))
}

fn polygon_text(corners: &[Point]) -> String {
    let corners: Vec<String> = corners.iter().map(|corner| place(*corner)).collect();
    format!("polygon = [{}]\n", corners.join(", "))
}

fn box_text(min: Point, max: Point) -> String {
    let center = place([0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1])]);
    format!("box = {{ center = {center}, size = {} }}\n", place([max[0] - min[0], max[1] - min[1]]))
}

fn stand_text(what: &str, Stand { feet: [left, right] }: Stand) -> String {
    let hips = [0.5 * (left[0] + right[0]), left[1] + HIPS];
    format!(
        "\n[{what}]\nposition = {}\ncontacts = {{ left_foot = {}, right_foot = {} }}\nmode = \"walking\"\n",
        place(hips),
        place(left),
        place(right)
    )
}

fn place([x, y]: Point) -> String {
    format!("[{}, {}]", number(x), number(y))
}

/// To the millimetre, without needless zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0');
    match text.strip_suffix('.') {
        Some("-0") => "0.0".to_owned(),
        Some(_) => format!("{text}0"),
        None => text.to_owned(),
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => write!(quoted, "\\u{:04x}", u32::from(character)).expect("text takes all"),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
