//! What is swung along: bars over a pit.

use clamber_io::InfeasibleCause;

use super::super::draft::{Holds, Outline, centimetres};
use super::site::{OUT_OF_REACH, Site};

/// How thick a bar is, in metres.
const BAR: f64 = 0.06;

/// The first bar is this far before the pit, and the last at least that far behind it: one takes hold and lets go while
/// standing.
const BEFORE: f64 = 0.3;
const BEHIND: f64 = 0.4;

pub(super) fn bars(site: &mut Site) {
    let (height, between) = (site.dice.hard(1.9, 2.03), site.dice.hard(0.3, 0.5));
    let pit = if site.is_broken { site.dice.free(4.4, 5.2) } else { site.dice.hard(2.2, 3.2) };
    let [x, y] = site.draft.at;
    let count = ((BEFORE + pit + BEHIND) / between).ceil() as usize;
    let mut places: Vec<f64> = (0..=count).map(|bar| centimetres(x - BEFORE + bar as f64 * between)).collect();
    site.note(format_args!("{pit:.2} m along bars {between:.2} m apart, {height:.2} m above the ground"));
    if site.is_broken {
        let last = places.iter().copied().rfind(|place| *place < x + 0.7).unwrap_or(x);
        places.retain(|place| *place <= last || *place >= last + OUT_OF_REACH);
        let next = places.iter().copied().find(|place| *place > last).unwrap_or(last);
        let why = format!("bars are missing: the next is {:.2} m away", next - last);
        site.note(format_args!("{pit:.2} m along bars, some of which are missing"));
        // From edge to edge: the next hold may also be seen on the other side of the pit.
        site.breaks(InfeasibleCause::TooFar, [x, y], [x + pit, y + height], why);
    }
    for (bar, place) in places.iter().enumerate() {
        let corners = [[place - 0.5 * BAR, y + height], [place + 0.5 * BAR, y + height + BAR]];
        site.draft.add(site.name(&format!("bar {}", bar + 1)), Outline::Box(corners), Holds::Bar);
    }
    let (length, spacing) = (0.6 + site.run_out(), site.close_spacing());
    site.floor_at([x + pit, y], length, spacing);
}
