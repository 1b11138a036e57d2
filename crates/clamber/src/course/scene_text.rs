//! Writes a course as a scene file.

use std::fmt::Write;

use clamber_io::InfeasibleSegment;

use super::layout::{CourseLayout, FootPlacement, Holds, Outline, Point, Solid};
use super::toml_text::{number, quoted};

/// Depth of the ground below the lowest floor, in meters.
const DEPTH: f64 = 1.5;

/// Height of the scene's bounds above the highest floor, in meters.
const HEADROOM: f64 = 3.0;

/// Height of the hips above the feet of a standing figure, in meters.
const HIP_HEIGHT: f64 = 0.9;

/// Returns the text of the scene file. `title` is its first comment; `character` is a built-in name or a path
/// relative to the scene.
pub(super) fn scene_text(layout: &CourseLayout, name: &str, title: &str, character: &str) -> String {
    let (low, high) = layout.heights();
    let (bottom, top) = (low - DEPTH, high + HEADROOM);
    let mut text = format!(
        "# {title}\n\nversion = 1\nname = {}\ncharacter = {}\nbounds = {{ min = {}, max = {} }}\n",
        quoted(name),
        quoted(character),
        point_text([0.0, low]),
        point_text([layout.at[0], top]),
    );
    if let Some(broken) = &layout.broken {
        text.push_str(&broken_text(broken));
    }
    for section in &layout.sections {
        write!(text, "\n# {}\n", section.note).expect("writing to a string cannot fail");
        for solid in &section.solids {
            text.push_str(&solid_text(solid, bottom, top + 1.0));
        }
    }
    text.push_str(&posture_text("start", layout.start));
    text.push_str(&posture_text("goal", layout.goal));
    text
}

fn broken_text(broken: &InfeasibleSegment) -> String {
    let InfeasibleSegment { segment_number: segment, kind, cause, box_min: min, box_max: max, description } = broken;
    let corner = |corner: &clamber_model::math::Vec3| point_text([corner.x.into(), corner.y.into()]);
    format!(
        "\n# No motion leads from start to goal, on purpose.\n[broken]\nsegment = {segment}\nkind = {}\ncause = {}\n\
         min = {}\nmax = {}\nwhy = {}\n",
        quoted(kind),
        quoted(cause.keyword()),
        corner(min),
        corner(max),
        quoted(description),
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
    let corners: Vec<String> = corners.iter().map(|corner| point_text(*corner)).collect();
    format!("polygon = [{}]\n", corners.join(", "))
}

fn box_text(min: Point, max: Point) -> String {
    let center = point_text([0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1])]);
    format!("box = {{ center = {center}, size = {} }}\n", point_text([max[0] - min[0], max[1] - min[1]]))
}

fn posture_text(table: &str, FootPlacement { feet: [left, right] }: FootPlacement) -> String {
    let hips = [0.5 * (left[0] + right[0]), left[1] + HIP_HEIGHT];
    format!(
        "\n[{table}]\nposition = {}\ncontacts = {{ left_foot = {}, right_foot = {} }}\nmode = \"walking\"\n",
        point_text(hips),
        point_text(left),
        point_text(right)
    )
}

fn point_text([x, y]: Point) -> String {
    format!("[{}, {}]", number(x), number(y))
}
