//! Conditions of edges that depend on the current configuration.

use clamber_model::Contact;
use clamber_model::character::Capsule;
use clamber_model::id::{GroupId, LimbId};
use clamber_model::kinematics::center_of_mass;
use clamber_model::math::{Vec3, atan2};
use clamber_model::mode_table::{Balance, BodyLandmark};
use clamber_model::support_polygon::horizontal_distance_to_hull;
use clamber_model::world::{MeshInterior, UP};

use crate::cost_to_go_guide::Guide;
use crate::local_planner::LocalPlanner;

// They read the frames of the projection: callers update these first.
impl LocalPlanner {
    /// Whether the center of mass is above or below the support polygon of a group, within a tolerance.
    pub fn is_between(&self, balance: &Balance, stance: &[Contact]) -> bool {
        let center = center_of_mass(&self.problem.character, &self.projection.link_frames);
        let points: Vec<Vec3> = self.of_group(balance.group, stance).map(|contact| contact.point).collect();
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

    /// Whether an upright column as thick as the trunk and as tall as the character is free, above the feet or at the hips.
    pub fn has_room_to_stand(&self) -> bool {
        let feet = self.anatomy.legs.iter().map(|leg| leg.tip_position(&self.projection.link_frames));
        let count = self.anatomy.legs.len().max(1) as f32;
        let floor = feet.clone().map(|foot| UP.dot(foot)).reduce(f32::min).unwrap_or(0.0);
        let radius = self.anatomy.trunk_radius;
        let is_free = |place: Vec3| {
            let at = |height: f32| place + UP * (floor + height - UP.dot(place));
            // The lower third is left out: legs may stand on a slope or astride a stone.
            let column =
                Capsule { a: at(0.35 * self.anatomy.body_height), b: at(self.anatomy.body_height - radius), radius };
            self.problem.world.capsule_distance(&column, 0.0, MeshInterior::Solid).distance >= 0.0
        };
        // A kneeling character rises above its knees; the feet are behind.
        is_free(feet.sum::<Vec3>() / count) || is_free(self.anatomy.hip_position(&self.projection.link_frames))
    }

    pub fn has_head_over_hip(&self) -> bool {
        let height = |mark| UP.dot(self.anatomy.landmark_position(mark, &self.projection.link_frames));
        height(BodyLandmark::Head) > height(BodyLandmark::Hip)
    }

    /// Whether the spine leans by no more than an angle.
    pub fn is_upright(&self, most: f32) -> bool {
        let spine = self.anatomy.neck_position(&self.projection.link_frames)
            - self.anatomy.hip_position(&self.projection.link_frames);
        let rise = UP.dot(spine);
        atan2((spine - UP * rise).length(), rise) <= most
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

    /// Whether a hand and a foot in contact are farther apart than a share of the largest possible span.
    pub fn is_stretched(&self, share: f32, stance: &[Contact]) -> bool {
        let character = &self.problem.character;
        let on = |limbs: &[LimbId], contact: &&Contact| {
            character.effectors[contact.effector].limb.is_some_and(|limb| limbs.contains(&limb))
        };
        let mut farthest: f32 = 0.0;
        for hand in stance.iter().filter(|contact| on(&self.table.body_roles.arm_limbs, contact)) {
            for foot in stance.iter().filter(|contact| on(&self.table.body_roles.leg_limbs, contact)) {
                farthest = farthest.max((hand.point - foot.point).length());
            }
        }
        farthest > share * self.anatomy.max_hand_foot_distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_planner::testing::with_local_planner;
    use clamber_model::math::rotation_about;
    use clamber_testing::{on_ground, standing};

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
        for lean in [-50.0f32, 50.0] {
            let mut leaning = standing(&problem.character, 0.0);
            leaning.root.rotation = rotation_about(Vec3::Z, lean.to_radians()) * leaning.root.rotation;
            let is_upright = |most: f32| {
                with_local_planner(&problem, |local| {
                    local.center_of(&leaning);
                    local.is_upright(most.to_radians())
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
