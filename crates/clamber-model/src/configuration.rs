//! Configurations: the root's pose and the hinge angles of a character.

use typed_index_collections::TiVec;

use crate::character::{Character, Hinge, MirroredHinge, RootAxis, RootJoint, mirrored_pose};
use crate::id::{HingeId, LinkId};
use crate::math::{
    Pose, Rotation, Vec3, angle_between_rotations, rotation_about, rotation_from_rotation_vector,
    rotation_vector_from_rotation,
};

/// The root's pose and all hinge angles (the papers' **q**).
#[derive(Debug, PartialEq)]
pub struct Configuration {
    /// The root link's frame in the world. Planar characters stay in z = 0: a rotation about z, then no or a half turn about y,
    /// which is the facing.
    pub root: Pose,
    /// In radians, in the order of [`Character::hinges`].
    pub angles: TiVec<HingeId, f32>,
}

// Implemented by hand for `clone_from`, which reuses the angles' memory: searches copy configurations in their hot loops.
impl Clone for Configuration {
    fn clone(&self) -> Self {
        Self { root: self.root, angles: self.angles.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.root = source.root;
        self.angles.raw.clone_from(&source.angles.raw);
    }
}

impl Configuration {
    /// Returns the rest posture at the origin, facing +x.
    pub fn rest(character: &Character) -> Self {
        let angles = character.hinges.iter().map(|hinge| hinge.rest).collect();
        Self { root: Pose::IDENTITY, angles }
    }

    /// Returns the pose of a planar root that faces +x or -x and leans back by `pitch` radians.
    pub fn planar_root_pose(x: f32, y: f32, pitch: f32, faces_right: bool) -> Pose {
        let facing = if faces_right { Rotation::IDENTITY } else { Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0) };
        Pose::from_parts(Vec3::new(x, y, 0.0), facing * rotation_about(Vec3::Z, pitch))
    }

    /// Adds `displacement` to the degrees of freedom (root first, then hinges) and clamps the hinges to their limits.
    pub fn displace(&mut self, character: &Character, displacement: &[f32]) {
        let (root, hinges) = displacement.split_at(character.root_joint.axes().len());
        let mut turn = Vec3::ZERO;
        for (axis, amount) in character.root_joint.axes().iter().zip(root) {
            match axis {
                RootAxis::Move(direction) => self.root.translation += *direction * *amount,
                RootAxis::Turn(direction) => turn += *direction * *amount,
            }
        }
        if turn != Vec3::ZERO {
            self.root.rotation = (rotation_from_rotation_vector(turn) * self.root.rotation).normalize();
        }
        for ((angle, hinge), amount) in self.angles.iter_mut().zip(&character.hinges).zip(hinges) {
            *angle = (*angle + amount).clamp(hinge.min, hinge.max);
        }
    }

    /// Fills `displacement` so that [`Self::displace`] makes this configuration equal to `to`.
    pub fn displacement_to(&self, character: &Character, to: &Self, displacement: &mut Vec<f32>) {
        let translation = to.root.translation - self.root.translation;
        let turn = rotation_vector_from_rotation(to.root.rotation * self.root.rotation.inverse());
        displacement.clear();
        displacement.extend(character.root_joint.axes().iter().map(|axis| match axis {
            RootAxis::Move(direction) => direction.dot(translation),
            RootAxis::Turn(direction) => direction.dot(turn),
        }));
        displacement.extend(self.angles.iter().zip(&to.angles).map(|(from, to)| to - from));
    }

    /// Returns the configuration of the character scaled by `factor`: the root's position is scaled, angles stay.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        let root = Pose::from_parts(self.root.translation * factor, self.root.rotation);
        Self { root, angles: self.angles.clone() }
    }

    /// Returns the posture seen in a mirror in the plane z = 0; `None` for a character without a
    /// [symmetry](Character::symmetry) or a configuration of another character.
    pub fn mirrored(&self, character: &Character) -> Option<Self> {
        let hinges = &character.symmetry()?.hinges;
        // The map is its own inverse, so the angle of a hinge comes from its mirror image.
        let angle = |image: &MirroredHinge| Some(image.sign * self.angles.get(image.hinge)?);
        let angles = hinges.iter().map(angle).collect::<Option<_>>()?;
        Some(Self { root: mirrored_pose(&self.root), angles })
    }

    /// Sets this to the interpolation between `from` (`t` = 0) and `to` (`t` = 1): the root's position and the angles linearly,
    /// the root's rotation by the shortest rotation about a fixed axis.
    pub fn interpolate(&mut self, from: &Self, to: &Self, t: f32) {
        self.root.translation = from.root.translation + (to.root.translation - from.root.translation) * t;
        self.root.rotation = from.root.rotation.slerp(to.root.rotation, t);
        self.angles.clear();
        self.angles.extend(from.angles.iter().zip(&to.angles).map(|(a, b)| a + (b - a) * t));
    }

    /// Checks that there is an angle per hinge of the character, within its limits. Returns a description of the first
    /// violation.
    pub fn check_hinges(&self, character: &Character) -> Result<(), String> {
        if self.angles.len() != character.hinges.len() {
            return Err(format!("it has {} angles for {} hinges", self.angles.len(), character.hinges.len()));
        }
        let beyond = |(angle, hinge): (&f32, &Hinge)| !(*angle >= hinge.min - 1e-4 && *angle <= hinge.max + 1e-4);
        match self.angles.iter().zip(&character.hinges).position(beyond).map(HingeId::from) {
            Some(hinge) => Err(format!("hinge `{}` is beyond its limits", character.hinges[hinge].name)),
            None => Ok(()),
        }
    }

    /// Checks that this is a configuration of the character: valid hinge angles, a finite root pose with a unit rotation and,
    /// for a planar character, a root in the plane. Returns a description of the first violation.
    pub fn check(&self, character: &Character) -> Result<(), String> {
        self.check_hinges(character)?;
        if !self.root.translation.is_finite() || !self.root.rotation.is_normalized() {
            return Err("its root is not at a finite place, or its rotation is not of length 1".to_owned());
        }
        if !self.is_in_plane(character.root_joint) {
            return Err("its root is not in the plane z = 0".to_owned());
        }
        Ok(())
    }

    /// Returns whether a planar root is in its plane; true for a free root.
    fn is_in_plane(&self, root: RootJoint) -> bool {
        // A rotation about z, before or after a half turn about y, has either no x and y or no z and w.
        let [x, y, z, w] = self.root.rotation.to_array().map(f32::abs);
        root == RootJoint::Free || (self.root.translation.z.abs() < 1e-4 && x.max(y).min(z.max(w)) < 1e-4)
    }
}

/// Fills `bounds` with an upper bound, for each link, on the path length of its points while `from` is interpolated to `to`, in
/// meters.
///
/// A point's path length is at most the root's displacement plus, for each joint that moves it, the joint's rotation times the
/// lever arm from the joint to the link's points. The bound is linear in time: over a fraction of the interpolation it is that
/// fraction.
pub fn link_motion_bounds(
    character: &Character,
    from: &Configuration,
    to: &Configuration,
    bounds: &mut TiVec<LinkId, f32>,
) {
    let root_displacement = (to.root.translation - from.root.translation).length();
    let root_turn = angle_between_rotations(from.root.rotation, to.root.rotation);
    bounds.clear();
    bounds.extend(character.links.keys().map(|link| {
        let mut bound = root_displacement;
        for arm in character.lever_arms(link) {
            let hinges = character.links[arm.link].hinges.range();
            let turn: f32 =
                from.angles[hinges.clone()].iter().zip(&to.angles[hinges]).map(|(a, b)| (b - a).abs()).sum();
            let turn = if arm.link == LinkId::ROOT { turn + root_turn } else { turn };
            bound += turn * arm.length;
        }
        bound
    }));
}

/// Returns an upper bound on the path length of any point of the character while `from` is interpolated to `to`, in meters.
pub fn max_motion_bound(
    character: &Character,
    from: &Configuration,
    to: &Configuration,
    bounds: &mut TiVec<LinkId, f32>,
) -> f32 {
    link_motion_bounds(character, from, to, bounds);
    bounds.iter().copied().fold(0.0, f32::max)
}
