//! Two ways on, the shorter of which is a dead end.

use super::super::draft::{Holds, Outline, centimetres};
use super::site::{OUT_OF_REACH, Site, TOO_LOW, WALL};

pub(super) fn fork(site: &mut Site, may_rise: bool) {
    match site.dice.below(2) {
        0 if may_rise => narrowing_passage(site),
        _ => slippery_bridge(site),
    }
}

/// Through a rising passage that becomes too narrow, or over the rock above it.
fn narrowing_passage(site: &mut Site) {
    let (height, rungs, spacing) = (site.dice.hard(1.6, 2.0), site.dice.hard(0.2, 0.25), site.close_spacing());
    let (mouth, step) = (site.dice.free(0.4, 0.6), 0.4);
    let rise = centimetres(height - step);
    // About 20 degrees.
    let length = centimetres(2.7 * rise);
    let [x, y] = site.draft.at;
    let (from, to) = (centimetres(x + 0.6), centimetres(x + 0.6 + length));
    let end = to + site.run_out();
    let line = vec![[x, y], [from, y], [to, y + rise], [end, y + rise]];
    site.draft.ground(site.name("floor"), line, spacing);
    let corners = vec![[from, y + mouth], [to, y + rise + TOO_LOW], [to, y + height], [from, y + height]];
    site.draft.add(site.name("rock"), Outline::Polygon(corners), Holds::Wall(rungs));
    site.note(format_args!("over a rock {height:.2} m high; the passage under it narrows to {TOO_LOW:.2} m"));
}

/// Over a bridge whose holds are missing, or down into the ditch under it and up again.
fn slippery_bridge(site: &mut Site) {
    const DEPTH: f64 = 1.95;
    const THICKNESS: f64 = 0.12;
    let (opening, rungs, spacing) = (site.dice.hard(1.3, 1.1), site.dice.hard(0.2, 0.3), site.spacing());
    let (end, bare) = (0.5, OUT_OF_REACH + site.dice.free(0.1, 0.6));
    let [x, y] = site.draft.at;
    site.wall("wall down", [x, y - DEPTH], DEPTH, WALL, rungs);
    let bridge = x + WALL + opening;
    for (part, from, length, holds) in [
        ("bridge 1", bridge, end, Holds::Floor(0.25)),
        ("bare bridge", bridge + end, bare, Holds::Bare),
        ("bridge 2", bridge + end + bare, end, Holds::Floor(0.25)),
    ] {
        let outline = Outline::Box([[from, y - THICKNESS], [from + length, y]]);
        site.draft.add(site.name(part), outline, holds);
    }
    let ditch = 2.0 * (opening + end) + bare;
    site.floor_at([x + WALL, y - DEPTH], ditch, spacing);
    let [x, _] = site.draft.at;
    site.wall("wall up", [x, y - DEPTH], DEPTH, WALL, rungs);
    let run_out = site.run_out();
    site.draft.at = [x + WALL, y];
    site.draft.floor(site.name("far floor"), run_out, spacing);
    site.note(format_args!("through a ditch {DEPTH:.2} m deep; {bare:.2} m of the bridge over it have no holds"));
}
