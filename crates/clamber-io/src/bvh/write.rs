//! Writes motions as BVH.

use std::fmt::Write;

use clamber_model::id::{LinkId, TiVec};
use clamber_model::math::{Vec3, double};
use clamber_model::{Character, Motion};

use super::euler_angles::{Axis, decompose, rotation_by};
use super::skeleton::Skeleton;
use crate::export_error::{ExportError, check_motion};
use crate::uniform_timing::UniformTiming;

/// The order of the rotation channels.
const ORDER: [double::Vec3; 3] = [double::Vec3::Z, double::Vec3::X, double::Vec3::Y];
const ROTATIONS: &str = "Zrotation Xrotation Yrotation";

/// Returns a motion as the text of a BVH file, in meters.
///
/// Uniformly timed frames are kept. Other motions are resampled at about their median step, because BVH has one frame
/// time. BVH cannot store contacts and modes.
///
/// # Errors
/// When the motion is not one of the character.
pub fn to_bvh(character: &Character, motion: &Motion) -> Result<String, ExportError> {
    check_motion(character, motion)?;
    let skeleton = Skeleton::new(character);
    let order = links_depth_first(character);
    let mut text = "HIERARCHY\n".to_owned();
    write_hierarchy(&mut text, character, &skeleton, &order);
    let timing = UniformTiming::of(&motion.frames);
    put(&mut text, format_args!("MOTION\nFrames: {}\nFrame Time: {}\n", timing.count, timing.step));

    let axes = ORDER.map(Axis::free);
    let mut before: TiVec<LinkId, [f64; 3]> = vec![[0.0; 3]; character.links.len()].into();
    for configuration in timing.sample(&motion.frames) {
        let [x, y, z] = configuration.root.translation.to_array();
        put(&mut text, format_args!("{} {} {}", plain(x), plain(y), plain(z)));
        for (link, _) in &order {
            let joint = &skeleton.joints[*link];
            let angles = configuration.angles[character.links[*link].hinges.range()].iter().copied();
            let turned = rotation_by(&joint.hinges, angles.map(f64::from));
            let rotation = match character.links[*link].parent {
                None => configuration.root.rotation.as_dquat().normalize() * turned,
                Some(_) => joint.rest_from_link * turned * joint.rest_from_link.inverse(),
            };
            // Close to the previous frame's angles, so that programs can interpolate.
            let angles = &mut before[*link];
            decompose(&axes, rotation, angles);
            for angle in angles {
                put(&mut text, format_args!(" {}", degrees(*angle)));
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn put(text: &mut String, arguments: std::fmt::Arguments) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

/// Turns -0 into 0. Display writes the fewest digits that round-trip.
fn plain(number: f32) -> f32 {
    number + 0.0
}

/// Rounds to a millionth of a degree, finer than single precision resolves most angles, even after many turns.
fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e6).round() / 1e6 + 0.0
}

/// Returns the links depth first, each with its depth.
fn links_depth_first(character: &Character) -> Vec<(LinkId, usize)> {
    let mut children: TiVec<LinkId, Vec<LinkId>> = vec![Vec::new(); character.links.len()].into();
    for (index, link) in character.links.iter_enumerated() {
        if let Some(parent) = link.parent {
            children[parent].push(index);
        }
    }
    let mut order = Vec::with_capacity(character.links.len());
    let mut waiting = vec![(LinkId::ROOT, 0)];
    while let Some((link, depth)) = waiting.pop() {
        order.push((link, depth));
        waiting.extend(children[link].iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

fn write_hierarchy(text: &mut String, character: &Character, skeleton: &Skeleton, order: &[(LinkId, usize)]) {
    for (place, (link, depth)) in order.iter().enumerate() {
        let joint = &skeleton.joints[*link];
        let indent = "\t".repeat(*depth);
        let (kind, positions) = match depth {
            0 => ("ROOT", "6 Xposition Yposition Zposition"),
            _ => ("JOINT", "3"),
        };
        put(text, format_args!("{indent}{kind} {}\n{indent}{{\n", joint.name));
        put(text, format_args!("{indent}\tOFFSET {}\n", offset(joint.offset)));
        put(text, format_args!("{indent}\tCHANNELS {positions} {ROTATIONS}\n"));
        let next_depth = order.get(place + 1).map_or(0, |(_, depth)| *depth);
        if next_depth <= *depth {
            let end = joint.rest_from_link * tip(character, *link).as_dvec3();
            put(text, format_args!("{indent}\tEnd Site\n{indent}\t{{\n"));
            put(text, format_args!("{indent}\t\tOFFSET {}\n{indent}\t}}\n", offset(end.as_vec3())));
        }
        for depth in (next_depth..=*depth).rev() {
            put(text, format_args!("{}}}\n", "\t".repeat(depth)));
        }
    }
}

fn offset(offset: Vec3) -> String {
    let [x, y, z] = offset.to_array().map(plain);
    format!("{x} {y} {z}")
}

/// Returns the end of a leaf link: the capsule end or effector that is farthest from its joint.
fn tip(character: &Character, link: LinkId) -> Vec3 {
    let capsules = character.capsules[character.links[link].capsules.clone()].iter();
    let effectors = character.effectors.iter().filter(|effector| effector.link == link);
    let ends = capsules.flat_map(|capsule| [capsule.a, capsule.b]).chain(effectors.map(|effector| effector.center));
    ends.fold(Vec3::ZERO, |farthest, end| if end.length() > farthest.length() { end } else { farthest })
}
