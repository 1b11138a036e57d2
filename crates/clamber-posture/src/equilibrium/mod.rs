//! Static equilibrium: whether contact forces inside their friction cones and limits can carry the body.
//!
//! The contacts of a stance carry the body if non-negative multiples of their unit loads add up to a wrench that balances its weight
//! (a linear program). The wrench of the weight depends on the horizontal position of the center of mass alone. So a stance
//! has a [support region](SupportRegion) of positions at which it carries the body, which generalizes the support polygon to
//! slopes, friction, grips and limited forces (Bretl and Lall, "Testing static equilibrium for legged robots", 2008). It is
//! convex, and in the plane it is an interval. A search computes it once per stance and then compares positions.

mod contact_loads;
mod solver;
mod shortfall;
mod region_cache;
mod loaded_hinge;
mod effort;
mod task_force;

pub use effort::EffortSolver;
pub use region_cache::SupportRegionCache;
pub use shortfall::Shortfall;
pub use solver::{EquilibriumSolver, SupportRegion};
pub use task_force::{ForceTask, TaskForce, TaskForceSolver};

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::Configuration;
    use clamber_model::kinematics::{LinkFrames, center_of_mass, forward};
    use clamber_model::math::Vec3;
    use clamber_model::world::HoldType;
    use clamber_testing::{ground_world, hold, touching};

    /// The figure on one foot on a hold of this type and friction, its center of mass moved ahead.
    fn on_one_foot(normal: Vec3, hold_type: HoldType, friction: f32, ahead: f32) -> (f64, Option<Shortfall>) {
        let character = clamber_testing::character("figure");
        let mut configuration = Configuration::rest(&character);
        configuration.root.translation.y = 0.9;
        let mut contact = touching(&character, &configuration, "left_foot");
        let foothold = hold("foothold", [contact.point.x, contact.point.y], normal, hold_type);
        let world = ground_world(Vec::new(), vec![clamber_model::world::Hold { friction, ..foothold }], 1.0);
        contact.normal = normal;
        let mut frames = LinkFrames::default();
        forward(&character, &configuration, &mut frames);
        let center = center_of_mass(&character, &frames).with_x(contact.point.x + ahead);
        let mut solver = EquilibriumSolver::default();
        let distance = solver.distance_outside(&character, &world, &frames, &[contact], center);
        (distance, solver.shortfall(&character, &world, &frames, &[contact], center))
    }

    #[test]
    fn a_foot_on_level_ground_carries_the_body_above_it() {
        let (distance, shortfall) = on_one_foot(Vec3::Y, HoldType::LoadBearing, 0.8, 0.0);
        assert!(distance < 1e-9 && shortfall.is_none(), "{distance} {shortfall:?}");
        let (distance, shortfall) = on_one_foot(Vec3::Y, HoldType::LoadBearing, 0.8, 0.2);
        assert!((distance - 0.2).abs() < 1e-6, "{distance}");
        // Neither strength nor friction helps a body that tips over.
        let shortfall = shortfall.unwrap();
        assert!((shortfall.balance.unwrap() - 0.2).abs() < 1e-6, "{shortfall:?}");
        assert_eq!((shortfall.strength, shortfall.friction), (None, None));
    }

    #[test]
    fn a_slope_needs_its_tangent_as_friction() {
        let slope = Vec3::new(-0.6, 0.8, 0.0);
        let (distance, _) = on_one_foot(slope, HoldType::LoadBearing, 0.751, 0.0);
        assert!(distance < 1e-9, "{distance}");
        let (distance, shortfall) = on_one_foot(slope, HoldType::LoadBearing, 0.5, 0.0);
        assert!(distance.is_infinite());
        let shortfall = shortfall.unwrap();
        assert!((shortfall.friction.unwrap() - 1.5).abs() < 0.01, "{shortfall:?}");
        assert_eq!((shortfall.balance, shortfall.strength), (None, None));
    }

    #[test]
    fn a_foot_cannot_hang_and_an_empty_stance_carries_nothing() {
        let (distance, shortfall) = on_one_foot(Vec3::NEG_Y, HoldType::Pendent, 0.8, 0.0);
        assert!(distance.is_infinite());
        assert_eq!(shortfall.unwrap(), Shortfall { balance: None, strength: None, friction: None });
        let character = clamber_testing::character("figure");
        let mut frames = LinkFrames::default();
        forward(&character, &Configuration::rest(&character), &mut frames);
        let world = ground_world(Vec::new(), Vec::new(), 1.0);
        let mut solver = EquilibriumSolver::default();
        assert!(solver.support_region(&character, &world, &frames, &[]).corners.is_empty());
        assert!(solver.distance_outside(&character, &world, &frames, &[], Vec3::ZERO).is_infinite());
    }
}
