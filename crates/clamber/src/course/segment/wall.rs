//! What is climbed: walls up and down, ledges, overhangs.

use clamber_io::InfeasibleCause;

use super::super::draft::{Holds, Outline, centimetres};
use super::site::{OUT_OF_REACH, Site, WALL};

pub(super) fn up(site: &mut Site) {
    if site.is_broken {
        return bare(site);
    }
    let (height, rungs) = (site.dice.hard(1.6, 3.0), site.dice.hard(0.2, 0.3));
    let [x, y] = site.draft.at;
    site.wall("wall", [x, y], height, WALL, rungs);
    let (length, spacing) = (0.2 + site.run_out(), site.spacing());
    site.floor_at([x + WALL, y + height], length, spacing);
    site.note(format_args!("{height:.2} m up"));
}

/// A wall with holds only at its foot.
fn bare(site: &mut Site) {
    let (lower, rungs) = (site.dice.free(0.5, 0.9), site.dice.hard(0.2, 0.3));
    // Farther from what is before it: a hold up there, such as a bar, would be nearer to the edge.
    let spacing = site.spacing();
    site.draft.floor(site.name("foot"), 1.0, spacing);
    let [x, y] = site.draft.at;
    let height = centimetres(lower + OUT_OF_REACH + site.dice.free(0.0, 0.4));
    site.wall("wall", [x, y], lower, WALL, rungs);
    let corners = [[x, y + lower], [x + WALL, y + height]];
    site.draft.add(site.name("bare wall"), Outline::Box(corners), Holds::Bare);
    let bare = height - lower;
    site.note(format_args!("{height:.2} m up, of which {bare:.2} m are without holds"));
    let why = format!("{bare:.2} m of the wall have no holds");
    site.breaks(InfeasibleCause::TooFar, [x, y], [x + WALL + 0.2, y + height], why);
    let length = 0.2 + site.run_out();
    site.floor_at([x + WALL, y + height], length, spacing);
}

pub(super) fn down(site: &mut Site) {
    let (height, rungs) = (site.dice.hard(0.8, 2.0), site.dice.hard(0.2, 0.3));
    let [x, y] = site.draft.at;
    site.wall("wall", [x, y - height], height, WALL, rungs);
    let (length, spacing) = (0.2 + site.run_out(), site.spacing());
    site.floor_at([x + WALL, y - height], length, spacing);
    site.note(format_args!("{height:.2} m down"));
}

pub(super) fn ledges(site: &mut Site) {
    let (first, second) = (site.dice.hard(1.2, 1.8), site.dice.hard(1.2, 1.8));
    let (ledge, rungs) = (site.dice.hard(1.0, 0.6), site.dice.hard(0.2, 0.3));
    let [x, y] = site.draft.at;
    site.wall("lower wall", [x, y], first, ledge, rungs);
    site.wall("upper wall", [x + ledge, y + first], second, WALL, rungs);
    let (length, spacing) = (0.2 + site.run_out(), site.spacing());
    site.floor_at([x + ledge + WALL, y + first + second], length, spacing);
    site.note(format_args!("{first:.2} m up to a ledge {ledge:.2} m deep, {second:.2} m up again"));
}

pub(super) fn overhang(site: &mut Site) {
    match site.dice.below(2) {
        0 => jutting_wall(site),
        _ => hanging_rock(site),
    }
}

/// A wall whose upper part is farther out than its foot.
fn jutting_wall(site: &mut Site) {
    let (height, out) = (site.dice.hard(2.2, 3.0), site.dice.hard(0.1, 0.25));
    let (begins, rungs) = (site.dice.free(0.9, 1.2), site.dice.hard(0.2, 0.25));
    let [x, y] = site.draft.at;
    let bottom = y - 0.5;
    site.rock_below("wall", [x, x + WALL], bottom);
    // Steep enough for the slanted part to be a hold for the feet as well.
    let full = centimetres(y + begins + 2.5 * out);
    let corners = vec![
        [x, bottom],
        [x, y + begins],
        [x - out, full],
        [x - out, y + height],
        [x + WALL, y + height],
        [x + WALL, bottom],
    ];
    site.draft.add(site.name("wall"), Outline::Polygon(corners), Holds::Wall(rungs));
    let (length, spacing) = (0.2 + site.run_out(), site.spacing());
    site.floor_at([x + WALL, y + height], length, spacing);
    site.note(format_args!("{height:.2} m up a wall that juts out by {out:.2} m"));
}

/// A rock over the way, with a chimney between it and the wall.
fn hanging_rock(site: &mut Site) {
    let (height, rungs) = (site.dice.hard(2.2, 3.0), site.dice.hard(0.2, 0.3));
    let (chimney, clearance) = (site.dice.hard(1.1, 0.85), site.dice.hard(2.1, 1.9));
    let (thickness, width) = (site.dice.free(0.4, 0.7), site.dice.free(0.7, 1.1));
    let spacing = site.spacing();
    let from = site.draft.at[0];
    site.draft.floor(site.name("foot"), width + chimney, spacing);
    let [x, y] = site.draft.at;
    let (under, end) = (y + clearance, x - chimney);
    let corners = vec![
        [from + 0.1, under + 0.1],
        [end - 0.1, under],
        [end, under + 0.5 * thickness],
        [end - 0.2, under + thickness],
        [from, under + thickness],
    ];
    site.draft.add(site.name("hanging rock"), Outline::Polygon(corners), Holds::Bare);
    site.wall("wall", [x, y], height, WALL, rungs);
    let length = 0.2 + site.run_out();
    site.floor_at([x + WALL, y + height], length, spacing);
    site.note(format_args!("{height:.2} m up, {chimney:.2} m beside a hanging rock"));
}
