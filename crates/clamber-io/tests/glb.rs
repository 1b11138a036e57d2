//! A .glb file reproduces the motion by the rules of glTF.
//!
//! An independent reader, which knows nothing about characters, checks it.

mod arbitrary;
mod shipped;

use arbitrary::{arbitrary_motion, characters, places};
use clamber_io::{ExportError, to_glb};
use clamber_model::character::RootJoint;
use clamber_model::id::{EffectorId, HoldId, LinkId};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::motion::{ContactSpan, ModeSpan};
use clamber_model::{Character, Configuration, Contact, Motion};
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use serde_json::Value;

/// In meters.
const TOLERANCE: f32 = 1e-4;

fn glb(character: &Character, motion: &Motion) -> Vec<u8> {
    let room = shipped::in_room("figure");
    to_glb(character, &room.world, motion).unwrap_or_else(|error| panic!("{}: {error}", character.name))
}

fn json(glb: &[u8]) -> Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

/// A file as an independent reader plays it.
struct Played {
    names: Vec<String>,
    times: Vec<f32>,
    /// For each frame and node, its pose in the world.
    frames: Vec<Vec<Pose>>,
}

fn play(file: &Gltf) -> Played {
    let [animation] = file.animations().collect::<Vec<_>>().try_into().unwrap();
    let count = file.nodes().len();
    let mut parents = vec![None; count];
    let mut local: Vec<Pose> = Vec::new();
    for node in file.nodes() {
        node.children().for_each(|child| parents[child.index()] = Some(node.index()));
        let (place, rotation, scale) = node.transform().decomposed();
        assert_eq!(scale, [1.0; 3]);
        local.push(Pose::from_parts(Vec3::from_array(place), Rotation::from_array(rotation)));
    }
    let mut times: Vec<f32> = Vec::new();
    let mut frames: Vec<Vec<Pose>> = Vec::new();
    for channel in animation.channels() {
        let reader = channel.reader(|_| file.blob.as_deref());
        let keys: Vec<f32> = reader.read_inputs().unwrap().collect();
        if times.is_empty() {
            frames = vec![local.clone(); keys.len()];
            times = keys;
        } else {
            assert_eq!(times, keys);
        }
        let node = channel.target().node().index();
        let mut count = 0;
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(places) => places.enumerate().for_each(|(frame, place)| {
                frames[frame][node].translation = Vec3::from_array(place);
                count += 1;
            }),
            ReadOutputs::Rotations(rotations) => {
                let mut before: Option<Rotation> = None;
                for (frame, rotation) in rotations.into_f32().enumerate() {
                    let rotation = Rotation::from_array(rotation);
                    assert!((rotation.length() - 1.0).abs() < 1e-6);
                    assert!(before.is_none_or(|before| before.dot(rotation) >= 0.0), "in one hemisphere");
                    before = Some(rotation);
                    frames[frame][node].rotation = rotation;
                    count += 1;
                }
            }
            _ => panic!("nothing else moves"),
        }
        assert_eq!(count, times.len());
    }
    // Our files list parents first; other parts of the file are not assumed to be in order.
    for frame in &mut frames {
        let local = frame.clone();
        for (node, pose) in frame.iter_mut().enumerate() {
            let mut carrier = parents[node];
            while let Some(parent) = carrier {
                *pose = local[parent] * *pose;
                carrier = parents[parent];
            }
        }
    }
    Played { names: file.nodes().map(|node| node.name().unwrap().to_owned()).collect(), times, frames }
}

#[test]
fn an_independent_reader_finds_the_same_joints() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 200);
        let file = Gltf::from_slice(&glb(&character, &motion)).unwrap();
        let played = play(&file);
        assert_eq!(played.frames.len(), 200);
        assert_eq!(played.times, motion.frames.iter().map(|frame| frame.time).collect::<Vec<_>>());
        for (expected, frame) in places(&character, &motion).iter().zip(&played.frames) {
            for (link, expected) in character.links.iter().zip(expected) {
                let node = played.names.iter().position(|name| *name == link.name).unwrap();
                for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                    let away = (*expected * point - frame[node] * point).length();
                    assert!(away < TOLERANCE, "{}: `{}` is {away} m away", character.name, link.name);
                }
            }
        }
    }
}

/// Returns the distance from a point to the nearest capsule surface of a link.
fn off_surface(character: &Character, link: LinkId, world_from_link: &Pose, point: Vec3) -> f32 {
    let point = world_from_link.inverse() * point;
    let capsules = character.capsules[character.links[link].capsules.clone()].iter();
    let off = capsules.map(|capsule| {
        let along = capsule.b - capsule.a;
        let share = (point - capsule.a).dot(along) / along.length_squared().max(1e-12);
        ((point - capsule.a - along * share.clamp(0.0, 1.0)).length() - capsule.radius).abs()
    });
    off.fold(f32::INFINITY, f32::min)
}

#[test]
fn the_skin_lies_on_the_capsules_in_every_frame_and_faces_outward() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 5);
        let file = Gltf::from_slice(&glb(&character, &motion)).unwrap();
        let skin = file.skins().next().unwrap();
        let unbind: Vec<[[f32; 4]; 4]> =
            skin.reader(|_| file.blob.as_deref()).read_inverse_bind_matrices().unwrap().collect();
        let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        assert_eq!(joints.len(), character.links.len());
        let node = file.nodes().find(|node| node.skin().is_some()).unwrap();
        let played = play(&file);
        let worlds = places(&character, &motion);
        for primitive in node.mesh().unwrap().primitives() {
            let is_visor = primitive.material().name() == Some("visor");
            let reader = primitive.reader(|_| file.blob.as_deref());
            let points: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from_array).collect();
            let normals: Vec<Vec3> = reader.read_normals().unwrap().map(Vec3::from_array).collect();
            let bound: Vec<[u16; 4]> = reader.read_joints(0).unwrap().into_u16().collect();
            let weights: Vec<[f32; 4]> = reader.read_weights(0).unwrap().into_f32().collect();
            let corners: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
            for triangle in corners.as_chunks::<3>().0 {
                let [a, b, c] = triangle.map(|corner| points[corner as usize]);
                let normal: Vec3 = triangle.iter().map(|corner| normals[*corner as usize]).sum();
                assert!((b - a).cross(c - a).dot(normal) > 0.0, "{}", character.name);
            }
            for ((point, bound), weights) in points.iter().zip(&bound).zip(&weights) {
                assert_eq!(weights.iter().sum::<f32>(), 1.0);
                // Planar limbs are moved sideways, and the visor is not a capsule of the character.
                if character.root_joint == RootJoint::Planar || is_visor {
                    continue;
                }
                for (frame, world) in played.frames.iter().zip(&worlds) {
                    let joint = usize::from(bound[0]);
                    let [x, y, z, w] = unbind[joint].map(|[x, y, z, _]| Vec3::new(x, y, z));
                    let in_joint = x * point.x + y * point.y + z * point.z + w;
                    let skinned = frame[joints[joint]] * in_joint;
                    let off = off_surface(&character, joint.into(), &world.raw[joint], skinned);
                    assert!(off < TOLERANCE, "{}: {off} m off", character.name);
                }
            }
        }
    }
}

#[test]
fn limbs_of_a_planar_character_are_side_by_side() {
    let character = shipped::character("figure");
    let file = Gltf::from_slice(&glb(&character, &arbitrary_motion(&character, 2))).unwrap();
    let mesh = file.meshes().next().unwrap();
    let depth = |name: &str| {
        let primitive = mesh.primitives().find(|primitive| primitive.material().name() == Some(name)).unwrap();
        let bounds = primitive.bounding_box();
        (bounds.min[2], bounds.max[2])
    };
    let (left, right) = (depth("left side"), depth("right side"));
    assert!(left.1 < 0.0 && right.0 > 0.0, "{left:?} {right:?}");
    assert!((left.0 + right.1).abs() < 1e-6, "{left:?} {right:?}");
}

/// A motion of the figure facing left, with a contact and two modes.
fn marked() -> Motion {
    let character = shipped::character("figure");
    let mut motion = arbitrary_motion(&character, 31);
    motion.mode_spans = [(0, 10, "walking"), (10, 30, "climbing")]
        .map(|(first, last, mode)| ModeSpan { first_frame: first, last_frame: last, mode: mode.to_owned() })
        .into();
    let contact = Contact {
        effector: EffectorId::from(1),
        hold: HoldId::from(2),
        point: Vec3::new(0.1, 0.0, 0.0),
        normal: Vec3::Y,
    };
    motion.contacts = vec![ContactSpan { first_frame: 3, last_frame: 15, contact }];
    motion
}

#[test]
fn contacts_modes_and_level_are_in_the_file() {
    let (room, motion) = (shipped::in_room("figure"), marked());
    let file = to_glb(&room.character, &room.world, &motion).unwrap();
    assert_eq!(file, to_glb(&room.character, &room.world, &motion).unwrap(), "the same bytes every time");
    let document = json(&file);
    assert!(document["asset"]["generator"].as_str().unwrap().starts_with("Clamber "));
    let extras = &document["animations"][0]["extras"];
    let [contact] = extras["contacts"].as_array().unwrap().as_slice() else { panic!("{extras}") };
    assert_eq!(contact["effector"], room.character.effectors.raw[1].name);
    assert_eq!(contact["hold"], room.world.holds.raw[2].name);
    assert_eq!(contact["point"], serde_json::json!([0.1, 0.0, 0.0]));
    assert_eq!((&contact["first"], &contact["last"]), (&0.1.into(), &0.5.into()));
    let modes: Vec<&Value> = extras["modes"].as_array().unwrap().iter().map(|mode| &mode["mode"]).collect();
    assert_eq!(modes, ["walking", "climbing"]);
    let file = Gltf::from_slice(&file).unwrap();
    let floor = file.nodes().find(|node| node.name() == Some("floor")).unwrap();
    let bounds = floor.mesh().unwrap().primitives().next().unwrap().bounding_box();
    assert_eq!((bounds.min, bounds.max), ([0.0, -1.0, -2.0], [4.0, 0.0, 2.0]));
}

#[test]
fn invalid_motions_are_rejected_with_the_reason() {
    let room = shipped::in_room("figure");
    let rejected = |change: &dyn Fn(&mut Motion)| {
        let mut motion = marked();
        change(&mut motion);
        to_glb(&room.character, &room.world, &motion).unwrap_err()
    };
    assert_eq!(rejected(&|motion| motion.frames.clear()), ExportError::Empty);
    let other = rejected(&|motion| motion.character = "insect".to_owned());
    assert_eq!(other.to_string(), "the motion is for character `insect`, not `figure`");
    let short = rejected(&|motion| motion.frames[4].configuration.angles.truncate(3));
    assert_eq!(short, ExportError::AngleCount { frame: 4, angles: 3, hinges: room.character.hinges.len() });
    let lost = rejected(&|motion| motion.frames[5].configuration.root.translation.x = f32::NAN);
    assert_eq!(lost, ExportError::InvalidFrame { frame: 5 });
    let collapsed = rejected(&|motion| motion.frames[5].configuration.root.rotation = Rotation::from_array([0.0; 4]));
    assert_eq!(collapsed, ExportError::InvalidFrame { frame: 5 });
    assert_eq!(rejected(&|motion| motion.frames[6].time = 0.0), ExportError::TimeOrder { frame: 6 });
    assert_eq!(
        rejected(&|motion| motion.contacts[0].last_frame = 99),
        ExportError::DanglingReference { referrer: "contact", index: 0 }
    );
    assert_eq!(
        rejected(&|motion| motion.contacts[0].contact.hold = HoldId::new(9999)),
        ExportError::DanglingReference { referrer: "contact", index: 0 }
    );
    assert_eq!(
        rejected(&|motion| motion.mode_spans[1].last_frame = 99),
        ExportError::DanglingReference { referrer: "span", index: 1 }
    );
}

#[test]
fn frames_at_the_same_time_become_one_key_and_one_frame_suffices() {
    let character = shipped::character("figure");
    let mut motion = arbitrary_motion(&character, 10);
    motion.frames[4].time = motion.frames[3].time;
    let played = play(&Gltf::from_slice(&glb(&character, &motion)).unwrap());
    assert_eq!(played.times.len(), 9);
    assert!(played.times.windows(2).all(|pair| pair[0] < pair[1]));
    let alone = Motion::from_configurations("figure", "flying", vec![Configuration::rest(&character)], 30.0);
    assert_eq!(play(&Gltf::from_slice(&glb(&character, &alone)).unwrap()).times, [0.0]);
}
