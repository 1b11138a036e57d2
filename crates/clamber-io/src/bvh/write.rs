//! Motions into BVH.

use std::fmt::Write;

use clamber_model::math::{Vec3, double};
use clamber_model::{Character, Motion};

use super::skeleton::Skeleton;
use super::turns::{Axis, rotation_by, take_apart};
use crate::timing::Timing;

/// The order of the rotation channels.
const ORDER: [double::Vec3; 3] = [double::Vec3::Z, double::Vec3::X, double::Vec3::Y];
const ROTATIONS: &str = "Zrotation Xrotation Yrotation";

/// The text of a BVH file, in metres.
///
/// The frames of an evenly timed motion are kept. Another one is resampled at about its median step, because BVH
/// has one step for all. Contacts and modes are lost: the format has no place for them.
pub fn write_bvh(character: &Character, motion: &Motion) -> String {
    let skeleton = Skeleton::new(character);
    let order = depth_first(character);
    let mut text = "HIERARCHY\n".to_owned();
    write_hierarchy(&mut text, character, &skeleton, &order);
    let timing = Timing::of(&motion.frames);
    put(&mut text, format_args!("MOTION\nFrames: {}\nFrame Time: {}\n", timing.count, timing.step));

    let axes = ORDER.map(Axis::free);
    let mut before = vec![[0.0; 3]; character.links.len()];
    for configuration in timing.sample(&motion.frames) {
        let [x, y, z] = configuration.root.translation.to_array();
        put(&mut text, format_args!("{} {} {}", plain(x), plain(y), plain(z)));
        for (link, _) in &order {
            let joint = &skeleton.joints[*link];
            let angles = configuration.angles[character.links[*link].hinges.clone()].iter().copied();
            let turned = rotation_by(&joint.hinges, angles.map(f64::from));
            let rotation = match character.links[*link].parent {
                None => configuration.root.rotation.as_dquat().normalize() * turned,
                Some(_) => joint.rest_from_link * turned * joint.rest_from_link.inverse(),
            };
            // Near the angles of the frame before, so that a program may interpolate between the two.
            let angles = &mut before[*link];
            take_apart(&axes, rotation, angles);
            for angle in angles {
                put(&mut text, format_args!(" {}", degrees(*angle)));
            }
        }
        text.push('\n');
    }
    text
}

fn put(text: &mut String, arguments: std::fmt::Arguments) {
    text.write_fmt(arguments).expect("text takes all that is written to it");
}

/// A number in the fewest digits that are read back as the same, without a minus before nothing.
fn plain(number: f32) -> f32 {
    number + 0.0
}

/// To a millionth of a degree: finer than single precision tells most angles apart, also after many turns.
fn degrees(radians: f64) -> f64 {
    (radians.to_degrees() * 1e6).round() / 1e6 + 0.0
}

/// The links, each followed by what it carries, and how many links carry each.
fn depth_first(character: &Character) -> Vec<(usize, usize)> {
    let mut children = vec![Vec::new(); character.links.len()];
    for (index, link) in character.links.iter().enumerate() {
        if let Some(parent) = link.parent {
            children[parent].push(index);
        }
    }
    let mut order = Vec::with_capacity(character.links.len());
    let mut waiting = vec![(0, 0)];
    while let Some((link, depth)) = waiting.pop() {
        order.push((link, depth));
        waiting.extend(children[link].iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

fn write_hierarchy(text: &mut String, character: &Character, skeleton: &Skeleton, order: &[(usize, usize)]) {
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

/// The end of a link that carries no other: of its capsules' ends and its effectors, the farthest from its joint.
fn tip(character: &Character, link: usize) -> Vec3 {
    let capsules = character.capsules[character.links[link].capsules.clone()].iter();
    let effectors = character.effectors.iter().filter(|effector| effector.link == link);
    let ends = capsules.flat_map(|capsule| [capsule.a, capsule.b]).chain(effectors.map(|effector| effector.center));
    ends.fold(Vec3::ZERO, |farthest, end| if end.length() > farthest.length() { end } else { farthest })
}
