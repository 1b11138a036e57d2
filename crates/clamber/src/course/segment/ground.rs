//! What is walked over: level ground, slopes, steps, gaps, hurdles.

use clamber_io::InfeasibleCause;
use clamber_model::math::sin_cos;

use super::super::draft::{Holds, Outline, Point, centimetres, even_spacing};
use super::site::{OUT_OF_REACH, Site};

pub(super) fn flat(site: &mut Site) {
    let (length, spacing) = (site.dice.free(1.5, 3.5), site.spacing());
    site.draft.floor(site.name("floor"), length, spacing);
    site.note(format_args!("{length:.2} m of level ground"));
}

/// `way` is 1 for up and -1 for down.
pub(super) fn slope(site: &mut Site, way: f64) {
    let (run, degrees, spacing) = (site.dice.free(1.0, 2.4), site.dice.hard(8.0, 25.0), site.spacing());
    let (sin, cos) = sin_cos(degrees.to_radians() as f32);
    let rise = centimetres(run * f64::from(sin / cos));
    let [x, y] = site.draft.at;
    let (top, end) = (centimetres(y + way * rise), x + run + site.run_out());
    site.draft.ground(site.name("floor"), vec![[x, y], [x + run, top], [end, top]], spacing);
    site.note(format_args!("{degrees:.0} degrees, {rise:.2} m {}", if way > 0.0 { "up" } else { "down" }));
}

/// `way` is 1 for up and -1 for down.
pub(super) fn steps(site: &mut Site, way: f64) {
    let (count, tread) = (1 + site.dice.below(3), site.dice.free(0.6, 0.9));
    let (rise, spacing) = (site.dice.hard(0.1, 0.4), site.close_spacing());
    let [x, y] = site.draft.at;
    let mut line: Vec<Point> = Vec::new();
    for step in 0..count {
        let (from, height) = (x + step as f64 * tread, centimetres(y + way * rise * (step + 1) as f64));
        let to = if step + 1 == count { from + site.run_out() } else { from + tread };
        line.extend([[from, height], [to, height]]);
    }
    site.draft.ground(site.name("floor"), line, spacing);
    let direction = if way > 0.0 { "up" } else { "down" };
    site.note(format_args!("{rise:.2} m {direction}, {count} times"));
}

pub(super) fn gap(site: &mut Site) {
    let spacing = site.close_spacing();
    let length = site.run_out();
    let between = if site.is_broken { OUT_OF_REACH + site.dice.free(0.0, 0.7) } else { site.dice.hard(0.45, 0.7) };
    let beside = site.draft.before_end + 0.5 * even_spacing(length, spacing);
    let width = centimetres((between - beside).max(0.1));
    let [x, y] = site.draft.at;
    let across = width + beside;
    site.note(format_args!("{across:.2} m from hold to hold"));
    if site.is_broken {
        let (from, to) = (x - site.draft.before_end, x - site.draft.before_end + across);
        site.breaks(InfeasibleCause::TooFar, [from, y], [to, y], format!("the next hold is {across:.2} m away"));
    }
    site.floor_at([x + width, y], length, spacing);
}

pub(super) fn hurdle(site: &mut Site) {
    const THICKNESS: f64 = 0.08;
    let (height, spacing) = (site.dice.hard(0.1, 0.35), site.dice.hard(0.3, 0.4));
    let length = 0.8 + site.run_out();
    let [x, y] = site.draft.at;
    let places = site.draft.floor(site.name("floor"), length, spacing);
    // Halfway between two holds, so that a foot has room on either side.
    let after = places.iter().position(|place| *place > x + 0.7).unwrap_or(1).max(1);
    let middle = centimetres(0.5 * (places[after - 1] + places[after]));
    let corners = [[middle - 0.5 * THICKNESS, y - 0.05], [middle + 0.5 * THICKNESS, y + height]];
    site.draft.add(site.name("board"), Outline::Box(corners), Holds::Bare);
    site.note(format_args!("{height:.2} m high"));
}
