//! Conditions of edges that depend on the current configuration.

use clamber_model::Contact;
use clamber_model::character::{Capsule, Landmark};
use clamber_model::id::{GroupId, LimbId};
use clamber_model::kinematics::center_of_mass;
use clamber_model::math::{Vec3, atan2};
use clamber_model::mode_table::{Balance, BodyLine};
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::world::{MeshInterior, UP};

use crate::cost_to_go_guide::Guide;
use crate::local_planner::LocalPlanner;

// They read the frames of the projection: callers update these first.
impl LocalPlanner {
    /// Whether the center of mass is above or below the support polygon of a group, within a tolerance.
    pub fn is_between(&self, balance: &Balance, stance: &[Contact]) -> bool {
        let (character, frames) = (&self.problem.character, &self.projection.link_frames);
        let center = center_of_mass(character, frames);
        let contacts = self.of_group(balance.group, stance);
        let points: Vec<Vec3> = contacts.flat_map(|contact| contact.pressing_ends(character, frames)).collect();
        !points.is_empty() && horizontal_distance_to_hull(center, &points) <= balance.within
    }

    /// The contacts of a group.
    pub fn of_group<'s>(
        &self,
        group: GroupId,
        stance: &'s [Contact],
    ) -> impl Iterator<Item = &'s Contact> + use<'s, '_> {
        let effectors = &self.table.effector_groups[group].effectors;
        stance.iter().filter(move |contact| effectors.contains(&contact.effector))
    }

    /// Whether an upright column as thick as the trunk and as tall as the body at rest is free, above the tips of limbs or at a
    /// landmark.
    pub fn has_room_to_stand(&self, on: &[LimbId], or_at: &Landmark) -> bool {
        let frames = &self.projection.link_frames;
        let tips = on.iter().map(|&limb| self.anatomy.limbs[limb].tip_position(frames));
        let count = on.len().max(1) as f32;
        let floor = tips.clone().map(|tip| UP.dot(tip)).reduce(f32::min).unwrap_or(0.0);
        let radius = self.anatomy.trunk_radius;
        let is_free = |place: Vec3| {
            let at = |height: f32| place + UP * (floor + height - UP.dot(place));
            // The lower third is left out: limbs may stand on a slope or astride a stone.
            let column =
                Capsule { a: at(0.35 * self.anatomy.body_height), b: at(self.anatomy.body_height - radius), radius };
            self.problem.world.capsule_distance(&column, 0.0, MeshInterior::Solid).distance >= 0.0
        };
        // A kneeling character rises above its knees; the feet are behind.
        is_free(tips.sum::<Vec3>() / count) || is_free(self.anatomy.landmark_position(or_at, frames))
    }

    /// Whether a landmark is higher than another.
    pub fn is_higher(&self, landmark: &Landmark, than: &Landmark) -> bool {
        let height = |landmark| UP.dot(self.anatomy.landmark_position(landmark, &self.projection.link_frames));
        height(landmark) > height(than)
    }

    /// Whether a line of the body leans by no more than an angle.
    pub fn is_upright(&self, line: &BodyLine, max_lean: f32) -> bool {
        let position = |landmark| self.anatomy.landmark_position(landmark, &self.projection.link_frames);
        let extent = position(&line.to) - position(&line.from);
        let rise = UP.dot(extent);
        atan2((extent - UP * rise).length(), rise) <= max_lean
    }

    /// Whether one of these limbs that is in contact is stretched to a share of its length.
    pub fn is_any_stretched(&self, limbs: &[LimbId], share: f32, stance: &[Contact]) -> bool {
        let frames = &self.projection.link_frames;
        self.anatomy
            .most_stretched(&self.problem.character, limbs, stance, frames)
            .is_some_and(|limb| self.anatomy.limbs[limb].stretch(frames) >= share)
    }

    /// Whether the guide, followed from the center of mass, leads this far backward before it leads as far forward.
    pub fn leads_backward(&self, guide: &dyn Guide, far: f32) -> bool {
        let heading = self.anatomy.heading_direction(&self.projection.link_frames);
        let from = center_of_mass(&self.problem.character, &self.projection.link_frames);
        let mut ahead = 0.0;
        guide.follow(from, 4.0 * far, &mut |place| {
            ahead = heading.dot(place - from);
            ahead.abs() < far
        });
        ahead <= -far
    }

    /// Whether the guide, followed from the center of mass, leads this far down before it leads twice as far sideways.
    pub fn leads_down(&self, guide: &dyn Guide, far: f32) -> bool {
        let from = center_of_mass(&self.problem.character, &self.projection.link_frames);
        // Some guides lead through the air, others along surfaces: heights are relative to their first place.
        let mut begins = None;
        let mut drop = 0.0;
        guide.follow(from, 4.0 * far, &mut |place| {
            let displacement = place - *begins.get_or_insert(place);
            drop = -UP.dot(displacement);
            drop < far && (displacement + UP * drop).length() < 2.0 * far
        });
        drop >= far
    }

    /// Whether contacts at the two ends of the body's span are farther apart than a share of it.
    pub fn is_stretched(&self, share: f32, stance: &[Contact]) -> bool {
        let character = &self.problem.character;
        let on = |limbs: &[LimbId], contact: &&Contact| {
            character.effectors[contact.effector].limb.is_some_and(|limb| limbs.contains(&limb))
        };
        let mut farthest: f32 = 0.0;
        let [one_end, other_end] = &self.table.span_limbs;
        for one in stance.iter().filter(|contact| on(one_end, contact)) {
            for other in stance.iter().filter(|contact| on(other_end, contact)) {
                farthest = farthest.max((one.point - other.point).length());
            }
        }
        farthest > share * self.anatomy.span
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use clamber_model::math::rotation_about;
    use clamber_testing::{landmark, on_ground, standing};

    /// A guide along given places.
    struct PlaceGuide(Vec<Vec3>);

    impl Guide for PlaceGuide {
        fn cost_to_go(&self, _: &Contact) -> f32 {
            0.0
        }

        fn follow(&self, _: Vec3, _: f32, visit: &mut dyn FnMut(Vec3) -> bool) {
            let _ = self.0.iter().all(|place| visit(*place));
        }
    }

    #[test]
    fn upright_limits_the_lean_of_the_spine_to_either_side() {
        let problem = on_ground(Vec::new());
        let [from, to] = ["hip", "head"].map(|name| landmark(&problem.character, name));
        let spine = BodyLine { from, to };
        for lean in [-50.0f32, 50.0] {
            let mut leaning = standing(&problem.character, 0.0);
            leaning.root.rotation = rotation_about(Vec3::Z, lean.to_radians()) * leaning.root.rotation;
            let is_upright = |most: f32| {
                with_local_planner(&problem, |local| {
                    local.center_of(&leaning);
                    local.is_upright(&spine, most.to_radians())
                })
            };
            assert!(is_upright(51.0) && !is_upright(49.0), "{lean}");
        }
    }

    #[test]
    fn a_guide_leads_down_when_it_drops_before_it_leads_far_sideways() {
        let problem = on_ground(Vec::new());
        let is_down = |places: &[[f32; 2]]| {
            let guide = PlaceGuide(places.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect());
            with_local_planner(&problem, |local| {
                local.center_of(&standing(&problem.character, 0.0));
                local.leads_down(&guide, 0.6)
            })
        };
        assert!(is_down(&[[0.3, 0.0], [0.6, 0.0], [0.9, -0.4], [0.9, -0.7]]));
        // Heights are relative to its first place, not to the body, which is higher.
        assert!(!is_down(&[[0.3, 0.0], [0.6, 0.0], [0.9, -0.4]]));
        assert!(!is_down(&[[0.3, 0.0], [0.9, 0.0], [1.6, 0.0], [1.6, -0.7]]), "the edge is far away");
        assert!(!is_down(&[[0.3, 0.0], [0.3, 0.7]]));
        assert!(!is_down(&[]));
    }
}
