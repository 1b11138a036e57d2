//! What is passed under: beams to duck under, tunnels to crawl through.

use clamber_io::InfeasibleCause;

use super::super::draft::{Holds, Outline, centimetres};
use super::site::{Site, TOO_LOW};

pub(super) fn duck(site: &mut Site) {
    let (height, spacing) = (site.dice.hard(1.5, 1.2), site.spacing());
    let (before, width, thickness) = (0.6, site.dice.free(0.2, 0.5), site.dice.free(0.6, 0.9));
    let length = before + width + site.run_out();
    let [x, y] = site.draft.at;
    site.draft.floor(site.name("floor"), length, spacing);
    let from = centimetres(x + before);
    let corners = [[from, y + height], [from + width, y + height + thickness]];
    site.draft.add(site.name("beam"), Outline::Box(corners), Holds::Bare);
    site.note(format_args!("a beam {height:.2} m above the ground"));
}

pub(super) fn crawl(site: &mut Site) {
    let (height, spacing) = (site.dice.hard(1.0, 0.8), site.close_spacing());
    let (before, tunnel) = (0.8, site.dice.hard(1.0, 3.0));
    // One who crawls stands up again only when all of the body is out.
    let length = before + tunnel + 0.6 + site.run_out();
    let [x, y] = site.draft.at;
    site.draft.floor(site.name("floor"), length, spacing);
    let (from, to) = (centimetres(x + before), centimetres(x + before + tunnel));
    let name = site.name("rock");
    if site.is_broken {
        let roof = y + TOO_LOW;
        site.draft.add(name, Outline::Closing([[from, roof], [to, roof]]), Holds::Bare);
        let why = format!("the tunnel is {TOO_LOW:.2} m high, less than the trunk is thick");
        site.note(format_args!("a tunnel {TOO_LOW:.2} m high, {tunnel:.2} m long"));
        // As high as a body in front of it may be.
        site.breaks(InfeasibleCause::Blocked, [from, y], [to, y + 0.5], why);
        return;
    }
    let (roof, top) = (y + height, y + 2.6);
    let corners = vec![[from, roof], [to, roof], [to + 0.2, top], [from - 0.2, top]];
    site.draft.add(name, Outline::Polygon(corners), Holds::Bare);
    site.note(format_args!("a tunnel {height:.2} m high, {tunnel:.2} m long"));
}
