//! Writes a course in space as a scene file.

use std::fmt::Write;

use clamber_io::InfeasibleSegment;
use clamber_model::math::double::sin_cos;

use super::super::toml_text::{number, number_with, quoted};
use super::dimensions::SLOPE_THICKNESS;
use super::layout::{Extent, Holds, Place, SegmentLayout, Solid};
use super::rectangle::{Rectangle, directions};
use super::standing::Standing;

/// Decimals of coordinates of turned obstacles: fine enough that floors which follow each other join without a gap.
const DECIMALS: usize = 5;

/// What a scene file is written from. All but the standing body and the impassable segment are in meters of the built-in human.
pub(super) struct SceneParts<'a> {
    pub name: String,
    pub title: String,
    /// A built-in name, or a path relative to the scene.
    pub character: &'a str,
    pub segments: &'a [SegmentLayout],
    /// Down to where the ground reaches.
    pub bottom: f64,
    /// Corners of the scene's bounds.
    pub bounds: [[f64; 3]; 2],
    /// The size of the character relative to the built-in human.
    pub scale: f64,
    pub standing: Standing,
    /// Where the body stands at the start and at the goal.
    pub ends: [Place; 2],
    pub infeasible_segment: Option<&'a InfeasibleSegment>,
    /// The file of the mesh around the course, relative to the scene.
    pub surroundings: Option<&'a str>,
}

impl SceneParts<'_> {
    /// Returns the text of the scene file.
    pub fn text(&self) -> String {
        let mut text = format!(
            "# {}\n\nversion = 2\nname = {}\ncharacter = {}\nbounds = {{ min = {}, max = {} }}\n",
            self.title,
            quoted(&self.name),
            quoted(self.character),
            self.point(self.bounds[0]),
            self.point(self.bounds[1]),
        );
        if let Some(segment) = self.infeasible_segment {
            text.push_str(&infeasible_text(segment));
        }
        for segment in self.segments {
            write!(text, "\n# {}\n", segment.note).expect("writing to a string cannot fail");
            segment.solids.iter().for_each(|solid| text.push_str(&self.solid_text(solid)));
        }
        if let Some(file) = self.surroundings {
            let mesh = format!("mesh = {{ file = {} }}\n", quoted(file));
            text.push_str("\n# The land around the course.\n");
            text.push_str(&obstacle_text("surroundings", &mesh, Holds::Floor));
        }
        for (table, place) in ["start", "goal"].into_iter().zip(self.ends) {
            text.push_str(&self.posture_text(table, place));
        }
        text
    }

    fn solid_text(&self, solid: &Solid) -> String {
        let Rectangle { center: [x, z], heading, length, width } = solid.footprint;
        let block = |bottom: f64, top: f64| {
            self.box_text([x, 0.5 * (bottom + top), z], [length, top - bottom, width], heading, 0.0)
        };
        let shape = match solid.extent {
            Extent::Ground { top } => block(self.bottom, top),
            Extent::Between { bottom, top } => block(bottom, top),
            Extent::Ramp { from, degrees, length } => {
                let (sin, cos) = sin_cos(degrees.to_radians());
                let [forward, _] = directions(heading);
                let half = 0.5 * SLOPE_THICKNESS;
                let center =
                    [x + half * sin * forward[0], from + 0.5 * length * sin - half * cos, z + half * sin * forward[1]];
                self.box_text(center, [length, SLOPE_THICKNESS, width], heading, degrees)
            }
        };
        obstacle_text(&solid.name, &shape, solid.holds)
    }

    fn box_text(&self, center: [f64; 3], size: [f64; 3], heading: f64, pitch: f64) -> String {
        let angles: Vec<String> = [("heading", heading), ("pitch", pitch)]
            .into_iter()
            .filter(|(_, angle)| *angle != 0.0)
            .map(|(name, angle)| format!("{name} = {}", number(angle)))
            .collect();
        let turn = if angles.is_empty() { String::new() } else { format!(", turn = {{ {} }}", angles.join(", ")) };
        format!("box = {{ center = {}, size = {}{turn} }}\n", self.point(center), self.point(size))
    }

    fn posture_text(&self, table: &str, place: Place) -> String {
        let Standing { root_height, contacts, mode } = &self.standing;
        let [x, z] = place.at;
        let mut text =
            format!("\n[{table}]\nposition = {}\n", self.point([x, place.height + root_height / self.scale, z]));
        if place.heading != 0.0 {
            text.push_str(&format!("heading = {}\n", number(place.heading)));
        }
        let contacts: Vec<String> = contacts
            .iter()
            .map(|(effector, [forward, right])| {
                let [x, z] = place.point(forward / self.scale, right / self.scale);
                format!("{} = {}", quoted(effector), self.point([x, place.height, z]))
            })
            .collect();
        if !contacts.is_empty() {
            text.push_str(&format!("contacts = {{ {} }}\n", contacts.join(", ")));
        }
        if let Some(mode) = mode {
            text.push_str(&format!("mode = {}\n", quoted(mode)));
        }
        text
    }

    fn point(&self, point: [f64; 3]) -> String {
        format!("[{}]", point.map(|coordinate| number_with(self.scale * coordinate, DECIMALS)).join(", "))
    }
}

fn obstacle_text(name: &str, shape: &str, holds: Holds) -> String {
    let holds = match holds {
        Holds::Bare => "",
        Holds::Floor => "holds = { everywhere = true, types = [\"load-bearing\"] }\n",
        Holds::RoughBlock => "holds = { everywhere = true, types = [\"load-bearing\", \"hybrid\"] }\n",
        Holds::Everywhere => "holds = { everywhere = true }\n",
        Holds::Bar => "holds = { everywhere = true, types = [\"pendent\"] }\n",
    };
    format!("\n[[obstacle]]\nname = {}\n{shape}{holds}", quoted(name))
}

fn infeasible_text(segment: &InfeasibleSegment) -> String {
    let InfeasibleSegment { segment_number, kind, cause, box_min, box_max, description } = segment;
    let corner = |corner: &clamber_model::math::Vec3| {
        format!("[{}]", corner.to_array().map(|coordinate| number(coordinate.into())).join(", "))
    };
    format!(
        "\n# No motion leads from start to goal, on purpose.\n[broken]\nsegment = {segment_number}\nkind = {}\ncause = {}\n\
         min = {}\nmax = {}\nwhy = {}\n",
        quoted(kind),
        quoted(cause.keyword()),
        corner(box_min),
        corner(box_max),
        quoted(description),
    )
}
