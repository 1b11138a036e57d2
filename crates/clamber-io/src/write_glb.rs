//! Writes motions as binary glTF 2.0: a skinned mannequin, its skeleton and animation, and the level.

use clamber_model::id::{LinkId, TiVec};
use clamber_model::math::{Pose, Vec3};
use clamber_model::{Character, Motion, World};
use serde::Serialize;
use serde_json::{Value, json};

use crate::export_error::ExportError;
use crate::obstacle_triangles;
use crate::skeletal_animation::{SkeletalAnimation, bind_poses};
use crate::skinned_body::{RegionMesh, mannequin};

/// Constants of the specification: component types and buffer view targets.
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;
const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

/// Returns a motion, its character and its world as the bytes of a .glb file.
///
/// Joints have the names of links. The skin is bound at zero hinge angles; the nodes have the pose of the first frame.
/// There is one key per frame, in seconds from the first. The animation's `extras` hold `contacts` and `modes`, with
/// times in seconds.
pub fn to_glb(character: &Character, world: &World, motion: &Motion) -> Result<Vec<u8>, ExportError> {
    let tracks = SkeletalAnimation::new(character, world, motion)?;
    let mut buffer = Buffer::default();
    // Joints first: a joint's node index is its link index.
    let mut nodes = joints(character, &tracks);
    let mut roots = vec![0];
    let (mut meshes, mut materials) = (Vec::new(), Vec::new());

    let mut primitives = Vec::new();
    for region_mesh in mannequin(character) {
        primitives.push(primitive(&mut buffer, &region_mesh, materials.len()));
        materials.push(material(region_mesh.region.name(), region_mesh.region.color(), false));
    }
    roots.push(nodes.len());
    nodes.push(json!({ "name": character.name, "mesh": 0, "skin": 0 }));
    meshes.push(json!({ "name": character.name, "primitives": primitives }));

    if !world.obstacles.is_empty() {
        let first = nodes.len() + 1;
        let children: Vec<usize> = (first..first + world.obstacles.len()).collect();
        roots.push(nodes.len());
        nodes.push(json!({ "name": "level", "children": children }));
        for obstacle in &world.obstacles {
            let faces = obstacle_triangles::faces(obstacle);
            let points: Vec<Vec3> = faces.iter().flat_map(|(corners, _)| *corners).collect();
            let normals: Vec<Vec3> = faces.iter().flat_map(|(_, normal)| [*normal; 3]).collect();
            let attributes =
                json!({ "POSITION": buffer.points(&points), "NORMAL": buffer.vectors(&normals, VERTICES) });
            let primitive = json!({ "attributes": attributes, "material": materials.len() });
            nodes.push(json!({ "name": obstacle.name, "mesh": meshes.len() }));
            meshes.push(json!({ "name": obstacle.name, "primitives": [primitive] }));
        }
        let is_solid = world.obstacles.iter().all(|obstacle| obstacle.is_solid());
        materials.push(material("level", obstacle_triangles::COLOR, !is_solid));
    }

    let unbind: Vec<[f32; 16]> = bind_poses(character).iter().map(|pose| matrix(&pose.inverse())).collect();
    let joints: Vec<usize> = (0..character.links.len()).collect();
    let skin = json!({
        "name": character.name,
        "inverseBindMatrices": buffer.floats(&unbind, "MAT4", None),
        "joints": joints,
        "skeleton": 0,
    });
    let animation = animation(&mut buffer, &tracks);
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("Clamber ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
        "skins": [skin],
        "animations": [animation],
    });
    document["accessors"] = buffer.accessors.into();
    document["bufferViews"] = buffer.views.into();
    document["buffers"] = json!([{ "byteLength": buffer.bytes.len() }]);
    container(document.to_string().into_bytes(), buffer.bytes)
}

/// Returns one node per link, in the pose of the first frame.
fn joints(character: &Character, tracks: &SkeletalAnimation) -> Vec<Value> {
    let mut children: TiVec<LinkId, Vec<usize>> = vec![Vec::new(); character.links.len()].into();
    for (index, link) in character.links.iter_enumerated() {
        if let Some(parent) = link.parent {
            children[parent].push(index.index());
        }
    }
    let joint = |(index, children): (LinkId, Vec<usize>)| {
        let link = &character.links[index];
        let place =
            if index == LinkId::ROOT { tracks.root_translations[0] } else { link.parent_from_joint.translation };
        let mut node = json!({
            "name": link.name,
            "translation": place.to_array().map(short),
            "rotation": tracks.rotations[index][0].to_array(),
        });
        // glTF forbids an empty list.
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    };
    children.into_iter_enumerated().map(joint).collect()
}

fn primitive(buffer: &mut Buffer, region_mesh: &RegionMesh, material: usize) -> Value {
    let joints: Vec<[u16; 4]> = region_mesh.links.iter().map(|link| [link.index() as u16, 0, 0, 0]).collect();
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; region_mesh.links.len()];
    let joint_bytes = joints.as_flattened().iter().flat_map(|joint| joint.to_le_bytes()).collect();
    let index_bytes = region_mesh.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
    json!({
        "attributes": {
            "POSITION": buffer.points(&region_mesh.points),
            "NORMAL": buffer.vectors(&region_mesh.normals, VERTICES),
            "JOINTS_0": buffer.add(joint_bytes, UNSIGNED_SHORT, "VEC4", joints.len(), VERTICES),
            "WEIGHTS_0": buffer.floats(&weights, "VEC4", VERTICES),
        },
        "indices": buffer.add(index_bytes, UNSIGNED_INT, "SCALAR", 3 * region_mesh.triangles.len(), INDICES),
        "material": material,
    })
}

fn material(name: &str, [red, green, blue]: [f32; 3], is_double_sided: bool) -> Value {
    json!({
        "name": name,
        "doubleSided": is_double_sided,
        "pbrMetallicRoughness": {
            "baseColorFactor": [short(red), short(green), short(blue), 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.6,
        },
    })
}

/// The animation's `extras`: glTF has no property for contacts and modes.
#[derive(Serialize)]
struct Extras<'a> {
    contacts: Vec<ContactExtra<'a>>,
    modes: Vec<ModeExtra<'a>>,
}

#[derive(Serialize)]
struct ContactExtra<'a> {
    effector: &'a str,
    hold: &'a str,
    point: [f64; 3],
    normal: [f64; 3],
    first: f64,
    last: f64,
}

#[derive(Serialize)]
struct ModeExtra<'a> {
    mode: &'a str,
    first: f64,
    last: f64,
}

fn animation(buffer: &mut Buffer, tracks: &SkeletalAnimation) -> Value {
    let times: Vec<[f32; 1]> = tracks.times.iter().map(|time| [*time]).collect();
    let input = buffer.floats(&times, "SCALAR", None);
    // Times increase.
    buffer.bound(input, &times[..1], &times[times.len() - 1..]);
    let sampler = |output: usize| json!({ "input": input, "interpolation": "LINEAR", "output": output });
    let channel = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    let mut samplers = vec![sampler(buffer.vectors(&tracks.root_translations, None))];
    let mut channels = vec![channel(0, 0, "translation")];
    for (link, rotations) in tracks.rotations.iter().enumerate() {
        let rotations: Vec<[f32; 4]> = rotations.iter().map(|rotation| rotation.to_array()).collect();
        channels.push(channel(samplers.len(), link, "rotation"));
        samplers.push(sampler(buffer.floats(&rotations, "VEC4", None)));
    }
    let contacts = tracks.contacts.iter().map(|label| ContactExtra {
        effector: label.effector,
        hold: label.hold,
        point: label.point.to_array().map(short),
        normal: label.normal.to_array().map(short),
        first: short(label.first),
        last: short(label.last),
    });
    let modes = tracks.modes.iter().map(|label| ModeExtra {
        mode: label.mode,
        first: short(label.first),
        last: short(label.last),
    });
    let extras = Extras { contacts: contacts.collect(), modes: modes.collect() };
    json!({ "name": "motion", "samplers": samplers, "channels": channels, "extras": extras })
}

/// Returns the number with the fewest digits that rounds to this one in single precision.
fn short(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// Returns a column-major 4x4 matrix.
fn matrix(pose: &Pose) -> [f32; 16] {
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| pose.rotation * axis);
    let at = pose.translation;
    [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, at.x, at.y, at.z, 1.0]
}

/// The binary chunk with its views and accessors.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds bytes, whose length must be a multiple of four, and returns their accessor.
    fn add(&mut self, bytes: Vec<u8>, component: u32, kind: &str, count: usize, target: Option<u32>) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.accessors
            .push(json!({ "bufferView": self.views.len(), "componentType": component, "count": count, "type": kind }));
        self.views.push(view);
        self.bytes.extend(bytes);
        self.accessors.len() - 1
    }

    fn floats<const COUNT: usize>(&mut self, items: &[[f32; COUNT]], kind: &str, target: Option<u32>) -> usize {
        let bytes = items.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
        self.add(bytes, FLOAT, kind, items.len(), target)
    }

    fn vectors(&mut self, vectors: &[Vec3], target: Option<u32>) -> usize {
        let vectors: Vec<[f32; 3]> = vectors.iter().map(|vector| vector.to_array()).collect();
        self.floats(&vectors, "VEC3", target)
    }

    /// Adds root_translations of corners, which need bounds.
    fn points(&mut self, points: &[Vec3]) -> usize {
        let accessor = self.vectors(points, VERTICES);
        let least = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let greatest = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
        self.bound(accessor, &[least.to_array()], &[greatest.to_array()]);
        accessor
    }

    fn bound<const COUNT: usize>(&mut self, accessor: usize, least: &[[f32; COUNT]], greatest: &[[f32; COUNT]]) {
        self.accessors[accessor]["min"] = json!(least.as_flattened());
        self.accessors[accessor]["max"] = json!(greatest.as_flattened());
    }
}

/// The two parts, each preceded by its length and type, in whole numbers of four bytes.
fn container(mut text: Vec<u8>, bytes: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let length = |length: usize| u32::try_from(length).map(u32::to_le_bytes).map_err(|_| ExportError::TooLarge);
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let mut file = Vec::with_capacity(total);
    file.extend(b"glTF");
    file.extend(2u32.to_le_bytes());
    file.extend(length(total)?);
    for (kind, part) in [(b"JSON", text), (b"BIN\0", bytes)] {
        file.extend(length(part.len())?);
        file.extend(kind);
        file.extend(part);
    }
    Ok(file)
}
