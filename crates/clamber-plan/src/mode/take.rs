//! Finds the holds that an edge wants to take (the existence conditions of thesis 5.3).

use clamber_model::character::Side;
use clamber_model::kinematics::forward;
use clamber_model::math::Vec3;
use clamber_model::mode::Take;
use clamber_model::world::{Hold, HoldShape, UP};
use clamber_model::{Configuration, Contact};

use crate::field::DistanceMap;
use crate::posture::mover::Mover;

/// How many points of a hold surface are looked at for one step.
const POINTS_OF_SURFACE: usize = 6;

/// The distance to the goal from a hold, along the guide.
///
/// The surface may be in a cell that counts as rock, so the first cell along the normal with a way counts.
pub(crate) fn guide_at(guide: &DistanceMap, point: Vec3, normal: Vec3) -> f32 {
    let cell = guide.grid.cell;
    let offsets = [0.5, 1.0, 1.5, 2.0, 3.0];
    let found = offsets.into_iter().map(|offset| guide.distance(point + normal * (offset * cell)));
    found.into_iter().find(|distance| distance.is_finite()).unwrap_or(f32::INFINITY)
}

impl Mover<'_, '_> {
    /// The contacts that satisfy a take, the nearest to the goal first.
    ///
    /// Whether the limb's way to them is free is left to be tried. `found` are the takes before it.
    pub fn candidates(
        &mut self,
        take: &Take,
        configuration: &Configuration,
        stance: &[Contact],
        found: &[Contact],
        left: Option<&Contact>,
        guide: &DistanceMap,
    ) -> Vec<Contact> {
        let (character, world) = (&self.problem.character, &self.problem.world);
        forward(character, configuration, &mut self.holding.frames);
        let heights =
            [take.above, take.below].map(|mark| mark.map(|mark| UP.dot(self.anatomy.mark(mark, &self.holding.frames))));
        let (middle, right) = (self.anatomy.hip(&self.holding.frames), self.anatomy.right(&self.holding.frames));
        let held = || stance.iter().chain(found);
        let mut near = Vec::new();
        let mut candidates: Vec<(f32, Contact)> = Vec::new();
        for &group in &take.groups {
            let siblings = &self.table.groups[group].effectors;
            let of_group = |contact: &&Contact| siblings.contains(&contact.effector);
            let rear = held().filter(of_group).map(|contact| guide_at(guide, contact.point, contact.normal));
            let rear = rear.fold(f32::NEG_INFINITY, f32::max);
            for &effector in siblings {
                let Some(limb) = character.effectors[effector].limb else { continue };
                // A limb is bent to one place: a heel and a ball do not take holds of their own.
                if held().any(|contact| character.effectors[contact.effector].limb == Some(limb)) {
                    continue;
                }
                let first = character.limbs[limb].links[0];
                let root = self.holding.frames.world_from_link[first].translation;
                let reach = character.reach_from(first);
                let outwards = match character.limbs[limb].side {
                    Side::Left => -right,
                    Side::Middle => Vec3::ZERO,
                    Side::Right => right,
                };
                if let Some(left) = left {
                    candidates.push((0.0, Contact { effector, ..*left }));
                    continue;
                }
                world.holds_near(root, reach, &mut near);
                for &hold in &near {
                    let Hold { normal, hold_type, .. } = world.holds[hold];
                    if !take.types.contains(&hold_type) {
                        continue;
                    }
                    let points = match world.holds[hold].is_surface() {
                        false => 1,
                        true => POINTS_OF_SURFACE,
                    };
                    for index in 0..points {
                        let point = self.point_of(&world.holds[hold], root, reach, index);
                        let contact = Contact { effector, hold, point, normal };
                        let distance = guide_at(guide, point, normal);
                        let height = UP.dot(point);
                        let is_apart = take.apart.iter().all(|apart| {
                            let group = &self.table.groups[apart.group].effectors;
                            let other = |held: &&Contact| group.contains(&held.effector);
                            held().filter(other).all(|held| (held.point - point).length() > apart.by)
                        });
                        // Without a sibling in contact, any hold is nearer.
                        let is_nearer = !take.nearer || rear == f32::NEG_INFINITY || distance < rear;
                        let is_above = heights[0].is_none_or(|least| height > least);
                        let is_below = heights[1].is_none_or(|most| height < most);
                        let is_in_reach = (contact.center(character) - root).length() < reach;
                        // Limbs do not cross. In the plane nothing is beside the middle.
                        let is_on_its_side = outwards.dot(point - middle) >= 0.0;
                        let is_good = is_apart && is_nearer && is_above && is_below && is_in_reach && is_on_its_side;
                        if is_good && distance.is_finite() {
                            candidates.push((distance, contact));
                        }
                    }
                }
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.into_iter().map(|(_, contact)| contact).collect()
    }

    /// A point of a hold; of a surface, one drawn from the part that is within reach (thesis 6.2.2).
    fn point_of(&mut self, hold: &Hold, root: Vec3, reach: f32, index: usize) -> Vec3 {
        match hold.shape {
            HoldShape::Point(at) => at,
            HoldShape::Segment([a, b]) => {
                let nearest = hold.nearest(root);
                let along = (b - a).normalize_or_zero();
                let half = (reach * reach - (nearest - root).length_squared()).max(0.0).sqrt();
                let drawn = (index as f32 + self.random.unit()) / POINTS_OF_SURFACE as f32;
                hold.nearest(nearest + along * (half * (2.0 * drawn - 1.0)))
            }
            HoldShape::Triangle(_) => {
                let drawn = hold.at(self.random.unit(), self.random.unit());
                // Large triangles have most of their points out of reach: those are drawn in.
                let way = drawn - root;
                let share = self.random.unit();
                if way.length() > reach { hold.nearest(root + way * (reach * share / way.length())) } else { drawn }
            }
        }
    }
}
