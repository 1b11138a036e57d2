//! Modes and contacts over time: a lane of modes and a lane for each effector, above a time axis.

use clamber_model::id::EffectorId;
use clamber_model::{Character, World};

use crate::font::text_width;
use crate::hold_marks::hold_color;
use crate::mode_colors::{BodyColors, ModeColors};
use crate::obstacle_labels::INK;
use crate::sampled_motion::{ContactInterval, ModeInterval, SampledMotion};
use crate::vector_picture::{Color, Point, Shape};

const PAPER: Color = Color::from_hex(0xffffff);

/// Height of a lane, gap between lanes, and height of the axis with its numbers, in font sizes.
const LANE_HEIGHT: f32 = 1.4;
const LANE_GAP: f32 = 0.2;
const AXIS_HEIGHT: f32 = 1.8;

/// Minimum distance between numbers on the axis, in font sizes.
const MIN_TICK_DISTANCE: f32 = 4.5;

/// Possible distances between numbers on the axis, in seconds.
const TICK_STEPS: [f32; 12] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];

/// The timeline of one motion.
pub(crate) struct Timeline<'a> {
    world: &'a World,
    mode_colors: &'a ModeColors<'a>,
    font_size: f32,
    mode_intervals: Vec<ModeInterval<'a>>,
    contact_intervals: Vec<ContactInterval>,
    /// Indices and names of the effectors that make contact.
    effectors: Vec<(EffectorId, &'a str)>,
}

/// A time interval on the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeAxis {
    pub left: f32,
    pub width: f32,
    pub start: f32,
    pub end: f32,
}

impl TimeAxis {
    /// Returns the horizontal position of a time, in pixels.
    pub fn x(&self, time: f32) -> f32 {
        self.left + self.width * (time - self.start) / (self.end - self.start).max(1e-6)
    }

    /// Returns the left and right ends of an interval clipped to the axis, in pixels; `None` outside it.
    fn bar(&self, start: f32, end: f32) -> Option<[f32; 2]> {
        let is_there = start < self.end && end > self.start;
        is_there.then(|| [self.x(start.max(self.start)), self.x(end.min(self.end))])
    }

    /// Returns the times to number, at least this many pixels apart.
    fn ticks(&self, least: f32) -> Vec<f32> {
        let length = self.end - self.start;
        let wide = |step: &f32| self.width * step / length.max(1e-6) >= least;
        let step = TICK_STEPS.into_iter().find(wide).unwrap_or(length.max(1.0));
        let first = (self.start / step - 1e-3).ceil();
        let count = ((self.end / step + 1e-3).floor() - first).clamp(-1.0, 1000.0);
        (0..=count as i32).filter(|_| count >= 0.0).map(|k| (first + k as f32) * step).collect()
    }
}

impl<'a> Timeline<'a> {
    pub fn new(
        character: &'a Character,
        world: &'a World,
        sampled: &SampledMotion<'a>,
        mode_colors: &'a ModeColors,
        font_size: f32,
    ) -> Self {
        let contact_intervals = sampled.contact_intervals();
        let holds_on = |effector: &EffectorId| contact_intervals.iter().any(|interval| interval.effector == *effector);
        let effectors = character.effectors.keys().filter(holds_on);
        let effectors = effectors.map(|effector| (effector, character.effectors[effector].name.as_str())).collect();
        Self { world, mode_colors, font_size, mode_intervals: sampled.mode_intervals(), contact_intervals, effectors }
    }

    /// Returns the width of the names left of the lanes, in pixels.
    pub fn names_width(&self) -> f32 {
        let width = |name: &str| text_width(name, self.font_size);
        let longest = self.effectors.iter().map(|(_, name)| width(name)).fold(0.0, f32::max);
        (longest + 1.2 * self.font_size).max(width("seconds") + 2.2 * self.font_size)
    }

    /// Returns the height of the lanes without the axis, in pixels.
    fn lanes_height(&self) -> f32 {
        self.font_size * (LANE_HEIGHT + LANE_GAP) * (1 + self.effectors.len()) as f32
    }

    /// Returns the total height, in pixels.
    pub fn height(&self) -> f32 {
        self.lanes_height() + self.font_size * AXIS_HEIGHT
    }

    /// Draws the lanes over a time interval, from this height down, with a line through them at each of these times.
    pub fn shapes(&self, axis: TimeAxis, top: f32, times: &[f32]) -> Vec<Shape> {
        let bottom = top + self.lanes_height();
        let mut shapes: Vec<Shape> = Vec::new();
        let lane_top = |lane: usize| top + self.font_size * (LANE_HEIGHT + LANE_GAP) * lane as f32;
        let right = axis.left + axis.width;
        for lane in 0..=self.effectors.len() {
            let color = INK.with_alpha(14);
            shapes.push(rectangle([axis.left, right], self.lane(lane_top(lane)), color, None));
        }
        shapes.extend(times.iter().map(|time| connector([axis.x(*time), top], [axis.x(*time), bottom])));
        shapes.push(self.name("mode", axis.left, lane_top(0)));
        for interval in &self.mode_intervals {
            let Some(width) = axis.bar(interval.start, interval.end) else { continue };
            let BodyColors { far, middle, .. } = self.mode_colors.of(interval.mode);
            let text = first_that_fits([interval.mode, ""], width, self.font_size);
            shapes.extend(self.bar(width, lane_top(0), (middle, far), text, (PAPER, far)));
        }
        for (index, (effector, name)) in self.effectors.iter().enumerate() {
            let top = lane_top(1 + index);
            shapes.push(self.name(name, axis.left, top));
            for interval in self.contact_intervals.iter().filter(|interval| interval.effector == *effector) {
                let Some(width) = axis.bar(interval.start, interval.end) else { continue };
                let hold = self.world.holds.get(interval.hold);
                let color = hold.map_or(INK, |hold| hold_color(hold.hold_type));
                let fill = color.mix(PAPER, 0.62);
                let name = hold.map_or("", |hold| hold.name.as_str());
                // Holds spread over an obstacle are numbered; the number identifies the hold.
                let number = name.rsplit(' ').next().filter(|word| word.parse::<u32>().is_ok()).unwrap_or("");
                let text = first_that_fits([name, number], width, self.font_size);
                shapes.extend(self.bar(width, top, (fill, color), text, (INK, fill)));
            }
        }
        shapes.extend(self.axis(axis, bottom));
        vec![Shape::Group { name: "lanes", shapes }]
    }

    /// Returns the top and bottom of a lane.
    fn lane(&self, top: f32) -> [f32; 2] {
        [top, top + self.font_size * LANE_HEIGHT]
    }

    fn name(&self, text: &str, right: f32, top: f32) -> Shape {
        let half = 0.5 * text_width(text, self.font_size);
        let at = [right - half - 0.5 * self.font_size, top + 0.5 * self.font_size * LANE_HEIGHT];
        Shape::Text { center: at, text: text.to_owned(), font_size: self.font_size, color: INK, halo: PAPER }
    }

    fn bar(
        &self,
        width: [f32; 2],
        top: f32,
        (fill, outline): (Color, Color),
        text: &str,
        (color, halo): (Color, Color),
    ) -> Vec<Shape> {
        let mut shapes = vec![rectangle(width, self.lane(top), fill, Some((outline, 0.07 * self.font_size)))];
        if !text.is_empty() {
            let at = [0.5 * (width[0] + width[1]), top + 0.5 * self.font_size * LANE_HEIGHT];
            shapes.push(Shape::Text { center: at, text: text.to_owned(), font_size: self.font_size, color, halo });
        }
        shapes
    }

    fn axis(&self, axis: TimeAxis, top: f32) -> Vec<Shape> {
        let font_size = self.font_size;
        let line = |points: Vec<Point>| Shape::Polyline { points, width: 0.08 * font_size, color: INK };
        let mut shapes = vec![
            line(vec![[axis.left, top], [axis.left + axis.width, top]]),
            // Left of the first number, which may be at the very start of the axis.
            self.name("seconds", axis.left - font_size, top + 0.3 * font_size),
        ];
        for time in axis.ticks(MIN_TICK_DISTANCE * font_size) {
            let x = axis.x(time);
            shapes.push(line(vec![[x, top], [x, top + 0.35 * font_size]]));
            let text = format!("{}", (10.0 * time).round() / 10.0);
            shapes.push(Shape::Text { center: [x, top + font_size], text, font_size, color: INK, halo: PAPER });
        }
        shapes
    }
}

/// The thin line from a panel to its time.
pub(crate) fn connector(from: Point, to: Point) -> Shape {
    Shape::Polyline { points: vec![from, to], width: 1.0, color: INK.with_alpha(110) }
}

/// Returns the first text that fits; an empty string if none does.
fn first_that_fits(text: [&str; 2], width: [f32; 2], font_size: f32) -> &str {
    let has_room = |text: &&str| text_width(text, font_size) + 0.3 * font_size <= width[1] - width[0];
    text.into_iter().find(has_room).unwrap_or("")
}

fn rectangle([left, right]: [f32; 2], [top, bottom]: [f32; 2], fill: Color, outline: Option<(Color, f32)>) -> Shape {
    Shape::Polygon { loops: vec![vec![[left, top], [right, top], [right, bottom], [left, bottom]]], fill, outline }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_and_far_enough_apart() {
        let axis = |start, end| TimeAxis { left: 100.0, width: 1000.0, start, end };
        assert_eq!(axis(0.0, 4.0).ticks(200.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(axis(12.3, 31.9).ticks(200.0), [15.0, 20.0, 25.0, 30.0]);
        assert_eq!(axis(0.0, 0.0).ticks(40.0), [0.0]);
        assert!(axis(0.0, 1e6).ticks(40.0).len() < 30);
    }

    #[test]
    fn text_is_omitted_where_it_does_not_fit() {
        assert_eq!(first_that_fits(["ground 12", "12"], [0.0, 80.0], 13.0), "ground 12");
        assert_eq!(first_that_fits(["ground 12", "12"], [0.0, 40.0], 13.0), "12");
        assert_eq!(first_that_fits(["ground 12", "12"], [0.0, 10.0], 13.0), "");
    }
}
