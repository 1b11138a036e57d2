//! Hinges whose torque balances contact forces, as rows of a linear program.

use clamber_model::character::GRAVITY;
use clamber_model::id::{HingeId, LinkId};
use clamber_model::kinematics::LinkFrames;
use clamber_model::math::double;
use clamber_model::simplex::Tableau;
use clamber_model::{Character, Contact};

use super::contact_loads::ContactLoads;

/// A hinge of known strength that a contact turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadedHinge {
    pub hinge: HingeId,
    pub link: LinkId,
    pub axis: double::Vec3,
    /// Its joint, from the reference, in body sizes.
    pub arm: double::Vec3,
    /// Toward smaller and greater angles, in weights times body sizes.
    pub strength: [f64; 2],
}

/// What limits the torque of a hinge.
#[derive(Clone, Copy)]
pub(super) enum TorqueLimit {
    /// The variable of a column, as a multiple of the strength.
    Ratio,
    /// The strength.
    Strength,
}

/// Fills `hinges` with the hinges of known strength that the contacts of a stance turn.
pub(super) fn find_loaded_hinges(
    character: &Character,
    frames: &LinkFrames,
    stance: &[Contact],
    loads: &ContactLoads,
    hinges: &mut Vec<LoadedHinge>,
) {
    let unit = f64::from(character.total_mass) * f64::from(GRAVITY) * loads.length;
    hinges.clear();
    for (id, hinge) in character.hinges.iter_enumerated() {
        let Some(strength) = hinge.strength else { continue };
        let turns = |contact: &Contact| {
            let effector = character.effectors.get(contact.effector);
            effector.is_some_and(|effector| moves(character, hinge.link, effector.link))
        };
        if stance.iter().any(turns) {
            hinges.push(LoadedHinge {
                hinge: id,
                link: hinge.link,
                axis: frames.hinge_axis(character, id).as_dvec3(),
                arm: loads.arm(frames.world_from_link[hinge.link].translation.as_dvec3()),
                strength: strength.map(|torque| f64::from(torque) / unit),
            });
        }
    }
}

impl LoadedHinge {
    /// Fills the two rows of this hinge, after those of equilibrium, with its torque in multiples of its strength toward smaller and toward
    /// greater angles. `common` is the column before the slacks of these rows.
    pub fn limit_torque(
        &self,
        character: &Character,
        frames: &LinkFrames,
        (loads, tableau): (&ContactLoads, &mut Tableau),
        number: usize,
        (common, limit): (usize, TorqueLimit),
    ) {
        let first_row = loads.equations + loads.limits.len() + 2 * number;
        let weight = self.weight_beyond(character, frames, |point| loads.arm(point));
        // The hinge exerts what loads and weights beyond it leave, toward smaller angles where they turn it to greater ones.
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let row = first_row + side;
            let scale = sign / self.strength[side];
            for (column, load) in loads.columns.iter().enumerate() {
                if moves(character, self.link, load.link) {
                    tableau.set(row, column, scale * self.moment(load.arm, load.force));
                }
            }
            let constant = match limit {
                TorqueLimit::Ratio => {
                    tableau.set(row, common, -1.0);
                    0.0
                }
                TorqueLimit::Strength => 1.0,
            };
            tableau.set_at_most(row, common + 1 + 2 * number + side, constant - scale * weight);
        }
    }

    /// The moment of a force about the hinge.
    pub fn moment(&self, arm: double::Vec3, force: double::Vec3) -> f64 {
        self.axis.dot((arm - self.arm).cross(force))
    }

    /// The moment of the weights beyond the hinge.
    fn weight_beyond(
        &self,
        character: &Character,
        frames: &LinkFrames,
        arm: impl Fn(double::Vec3) -> double::Vec3,
    ) -> f64 {
        weights_beyond(character, frames, self.link).map(|(_, at, weight)| self.moment(arm(at), weight)).sum()
    }
}

/// The links that a hinge's link moves, with their centers of mass and their weights, in body weights.
pub(super) fn weights_beyond<'a>(
    character: &'a Character,
    frames: &'a LinkFrames,
    hinged: LinkId,
) -> impl Iterator<Item = (LinkId, double::Vec3, double::Vec3)> + 'a {
    let links = character.links.iter_enumerated().filter(move |(link, _)| moves(character, hinged, *link));
    links.map(|(id, link)| {
        let at = (frames.world_from_link[id] * link.center_of_mass).as_dvec3();
        (id, at, -double::Vec3::Y * f64::from(link.mass / character.total_mass))
    })
}

/// Whether the hinges of one link move the other.
pub(super) fn moves(character: &Character, hinged: LinkId, link: LinkId) -> bool {
    std::iter::successors(Some(link), |&link| character.links[link].parent).any(|ancestor| ancestor == hinged)
}
