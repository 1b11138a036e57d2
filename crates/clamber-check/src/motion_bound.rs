//! How far any point of a body can move from one frame to the next.

use clamber_model::{Character, Configuration};

use crate::kinematics::root_turn;

/// Bounds on the motion of one link.
#[derive(Clone, Copy)]
struct LinkBound {
    /// The path length of its joint, in meters.
    joint: f64,
    /// The angle that it turns through, in radians.
    turn: f64,
}

/// The sizes of a character's links that bound its motion.
pub(crate) struct MotionBound {
    /// For each link, the distance of its joint from its parent's joint.
    offsets: Vec<f64>,
    /// For each link, the greatest distance of its capsules and effectors from its joint.
    extents: Vec<f64>,
    bounds: Vec<LinkBound>,
}

impl MotionBound {
    pub fn new(character: &Character) -> Self {
        let offsets = character.links.iter().map(|link| link.parent_from_joint.translation.as_dvec3().length());
        let mut extents = vec![0.0f64; character.links.len()];
        for (capsule, link) in character.capsules.iter().zip(&character.link_of_capsule) {
            let farther_end = capsule.a.as_dvec3().length().max(capsule.b.as_dvec3().length());
            let extent = &mut extents[link.index()];
            *extent = extent.max(farther_end + f64::from(capsule.radius));
        }
        for effector in &character.effectors {
            let extent = &mut extents[effector.link.index()];
            *extent = extent.max(effector.center.as_dvec3().length() + f64::from(effector.radius));
        }
        Self { offsets: offsets.collect(), extents, bounds: Vec::new() }
    }

    /// Returns an upper bound on the path length of any point of the body while one configuration is interpolated to
    /// another, in meters; NaN if a configuration has NaN.
    ///
    /// Velocities propagate from the root outward: a joint moves as fast as its parent's joint, plus the parent's angular
    /// speed times the distance between the two; angular speeds of successive links add up at most; a point of a link
    /// adds the link's angular speed times its distance from the joint. All speeds are constant or bounded by a constant
    /// over the interpolation, so over a fraction of it the bound is that fraction.
    pub fn path_length(&mut self, character: &Character, from: &Configuration, to: &Configuration) -> f64 {
        self.bounds.clear();
        let mut longest = 0.0f64;
        for (index, link) in character.links.iter().enumerate() {
            let parent = match link.parent {
                None => LinkBound {
                    joint: (to.root.translation.as_dvec3() - from.root.translation.as_dvec3()).length(),
                    turn: root_turn(from, to).length(),
                },
                Some(parent) => {
                    let LinkBound { joint, turn } = self.bounds[parent.index()];
                    LinkBound { joint: joint + turn * self.offsets[index], turn }
                }
            };
            let hinges = link.hinges.range();
            let own = from.angles[hinges.clone()].iter().zip(&to.angles[hinges]);
            let own: f64 = own.map(|(&from, &to)| (f64::from(to) - f64::from(from)).abs()).sum();
            let bound = LinkBound { joint: parent.joint, turn: parent.turn + own };
            let farthest = bound.joint + bound.turn * self.extents[index];
            if farthest.is_nan() {
                return f64::NAN;
            }
            longest = longest.max(farthest);
            self.bounds.push(bound);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinematics::{LinkFrames, interpolate};
    use clamber_model::kinematics::LinkFrames as ModelFrames;
    use clamber_model::kinematics::{capsule_in_world, center_of_mass, effector_position, forward};
    use clamber_model::math::Vec3;
    use clamber_model::math::double;
    use clamber_model::rng::Stream;
    use clamber_testing::character;

    fn displaced(character: &Character, from: &Configuration, random: &mut Stream, amount: f32) -> Configuration {
        let mut to = from.clone();
        let count = character.degrees_of_freedom();
        to.displace(character, &(0..count).map(|_| random.between(-amount, amount)).collect::<Vec<f32>>());
        to
    }

    #[test]
    fn link_frames_agree_with_the_kinematics_of_planners() {
        let mut random = Stream::new(1, "frames");
        for name in ["figure", "human", "insect"] {
            let character = character(name);
            let (mut frames, mut theirs) = (LinkFrames::default(), ModelFrames::default());
            for _ in 0..50 {
                let configuration = displaced(&character, &Configuration::rest(&character), &mut random, 2.0);
                frames.set(&character, &configuration);
                forward(&character, &configuration, &mut theirs);
                let near = |a: Vec3, b: Vec3| assert!((a - b).length() < 1e-5, "{name}: {a} and {b}");
                for capsule in 0..character.capsules.len() {
                    let expected = capsule_in_world(&character, &theirs, capsule);
                    let [a, b] = frames.capsule_axis(&character, capsule).map(|end| end.as_vec3());
                    near(a, expected.a);
                    near(b, expected.b);
                }
                for effector in character.effectors.keys() {
                    let expected = effector_position(&character, &theirs, effector);
                    near(frames.effector_center(&character, effector), expected);
                }
                near(frames.center_of_mass(&character).as_vec3(), center_of_mass(&character, &theirs));
            }
        }
    }

    #[test]
    fn interpolation_agrees_with_that_of_motions() {
        let mut random = Stream::new(2, "frames");
        let character = character("human");
        let from = displaced(&character, &Configuration::rest(&character), &mut random, 1.0);
        let to = displaced(&character, &from, &mut random, 1.0);
        let (mut ours, mut theirs) = (from.clone(), from.clone());
        for fraction in [0.0, 0.25, 0.7, 1.0] {
            interpolate(&from, &to, fraction, &mut ours);
            theirs.interpolate(&from, &to, fraction as f32);
            assert!((ours.root.translation - theirs.root.translation).length() < 1e-6);
            assert!(ours.root.rotation.dot(theirs.root.rotation).abs() > 1.0 - 1e-6);
            assert!(ours.angles.iter().zip(&theirs.angles).all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }

    #[test]
    fn no_point_moves_farther_than_the_bound() {
        let mut random = Stream::new(3, "frames");
        for name in ["figure", "human", "insect"] {
            let character = character(name);
            let mut bound = MotionBound::new(&character);
            let mut frames = LinkFrames::default();
            let mut tightest: f64 = 0.0;
            for _ in 0..40 {
                let from = displaced(&character, &Configuration::rest(&character), &mut random, 1.0);
                let to = displaced(&character, &from, &mut random, 0.3);
                let limit = bound.path_length(&character, &from, &to);
                let mut between = from.clone();
                let mut points = |fraction: f64| -> Vec<double::Vec3> {
                    interpolate(&from, &to, fraction, &mut between);
                    frames.set(&character, &between);
                    (0..character.capsules.len()).flat_map(|index| frames.capsule_axis(&character, index)).collect()
                };
                let mut before = points(0.0);
                let mut lengths = vec![0.0; before.len()];
                for step in 1..=20 {
                    let now = points(f64::from(step) / 20.0);
                    for ((length, before), now) in lengths.iter_mut().zip(&before).zip(&now) {
                        *length += (*now - *before).length();
                    }
                    before = now;
                }
                let longest = lengths.into_iter().fold(0.0, f64::max);
                assert!(longest <= limit + 1e-5, "{name}: {longest} > {limit}");
                tightest = tightest.max(longest / limit);
            }
            assert!(tightest > 0.3, "{name}: the bound is useless: {tightest}");
        }
    }

    #[test]
    fn nan_has_no_bound() {
        let character = character("figure");
        let from = Configuration::rest(&character);
        let mut to = from.clone();
        to.angles[clamber_model::id::HingeId::from(0)] = f32::NAN;
        assert!(MotionBound::new(&character).path_length(&character, &from, &to).is_nan());
    }
}
