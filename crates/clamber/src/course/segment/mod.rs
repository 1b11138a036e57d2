//! The segments, a file for those that are moved over alike. Each begins where the ground ends and ends with level ground.

mod site;
mod ground;
mod low;
mod wall;
mod bars;
mod fork;

pub(super) use site::Site;

use super::kind::Kind;

/// Adds a segment; `may_rise` says whether one that can do without should lead up.
pub(super) fn build(site: &mut Site, may_rise: bool) {
    site.draft.begin();
    match site.kind {
        Kind::Flat => ground::flat(site),
        Kind::SlopeUp => ground::slope(site, 1.0),
        Kind::SlopeDown => ground::slope(site, -1.0),
        Kind::StepUp => ground::steps(site, 1.0),
        Kind::StepDown => ground::steps(site, -1.0),
        Kind::Gap => ground::gap(site),
        Kind::Hurdle => ground::hurdle(site),
        Kind::Duck => low::duck(site),
        Kind::Crawl => low::crawl(site),
        Kind::WallUp => wall::up(site),
        Kind::WallDown => wall::down(site),
        Kind::Ledges => wall::ledges(site),
        Kind::Bars => bars::bars(site),
        Kind::Overhang => wall::overhang(site),
        Kind::Fork => fork::fork(site, may_rise),
    }
}
