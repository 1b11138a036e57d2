//! Writes motions as USD text: a skinned mannequin with its UsdSkel skeleton and animation, and the level.

use std::fmt::{Display, Write};

use clamber_model::id::{LinkId, TiVec};
use clamber_model::math::{Pose, Rotation, Vec3};
use clamber_model::{Character, Motion, World};

use crate::export_error::ExportError;
use crate::obstacle_triangles;
use crate::skeletal_animation::{SkeletalAnimation, bind_poses};
use crate::skinned_body::{RegionMesh, mannequin};
use crate::uniform_timing::UniformTiming;
use crate::unique_export_names::unique_names;

/// Returns a motion, its character and its world as the text of a .usda file, in meters, y up.
///
/// Joints have the names of links. Bind and rest pose have zero hinge angles. There is one sample per frame; time codes
/// are frame numbers if frames are uniformly timed. The animation's `customData` holds `contacts` and `modes`, with
/// times in seconds.
pub fn to_usda(character: &Character, world: &World, motion: &Motion) -> Result<String, ExportError> {
    let tracks = SkeletalAnimation::new(character, world, motion)?;
    let codes = TimeCodes::new(motion, &tracks);
    let body = names([character.name.as_str()]).remove(0);
    let regions = mannequin(character);

    let mut text = Text::default();
    text.line("#usda 1.0");
    text.open("(");
    text.line("defaultPrim = \"World\"");
    text.line(format_args!("endTimeCode = {}", codes.last()));
    text.line(format_args!("framesPerSecond = {}", codes.rate));
    text.line("metersPerUnit = 1");
    text.line("startTimeCode = 0");
    text.line(format_args!("timeCodesPerSecond = {}", codes.rate));
    text.line("upAxis = \"Y\"");
    text.line(concat!("doc = \"Clamber ", env!("CARGO_PKG_VERSION"), "\""));
    text.close(")");
    text.open("def Xform \"World\" {");
    text.open(format_args!("def SkelRoot {} {{", quoted(&body)));
    let joints = joint_paths(character);
    write_skeleton(&mut text, character, &joints.raw, &body);
    write_animation(&mut text, character, &joints.raw, &tracks, &codes);
    write_mannequin(&mut text, &regions, &body);
    text.close("}");
    write_level(&mut text, world);
    text.open("def Scope \"materials\" {");
    for region_mesh in &regions {
        write_material(&mut text, &material_name(region_mesh), region_mesh.region.color());
    }
    write_material(&mut text, "level", obstacle_triangles::COLOR);
    text.close("}");
    text.close("}");
    Ok(text.text)
}

fn write_skeleton(text: &mut Text, character: &Character, joints: &[String], body: &str) {
    let bind = bind_poses(character);
    let rest = character.links.iter().zip(&bind).map(|(link, bind)| match link.parent {
        None => *bind,
        Some(_) => link.parent_from_joint,
    });
    text.open("def Skeleton \"skeleton\" (");
    text.line("prepend apiSchemas = [\"SkelBindingAPI\"]");
    text.close(")");
    text.open("{");
    text.line(format_args!("uniform matrix4d[] bindTransforms = {}", list(bind.iter().map(matrix))));
    text.line(format_args!("uniform token[] joints = {}", list(joints.iter().map(|joint| quoted(joint)))));
    text.line(format_args!("uniform matrix4d[] restTransforms = {}", list(rest.map(|pose| matrix(&pose)))));
    text.line(format_args!("rel skel:animationSource = </World/{body}/animation>"));
    text.close("}");
}

fn write_animation(
    text: &mut Text,
    character: &Character,
    joints: &[String],
    tracks: &SkeletalAnimation,
    codes: &TimeCodes,
) {
    text.open("def SkelAnimation \"animation\" (");
    text.open("customData = {");
    text.open("dictionary contacts = {");
    let contacts = &tracks.contacts;
    text.line(format_args!("string[] effector = {}", list(contacts.iter().map(|label| quoted(label.effector)))));
    text.line(format_args!("double[] first = {}", list(contacts.iter().map(|label| label.first))));
    text.line(format_args!("string[] hold = {}", list(contacts.iter().map(|label| quoted(label.hold)))));
    text.line(format_args!("double[] last = {}", list(contacts.iter().map(|label| label.last))));
    text.line(format_args!("float3[] normal = {}", list(contacts.iter().map(|label| vector(label.normal)))));
    text.line(format_args!("float3[] point = {}", list(contacts.iter().map(|label| vector(label.point)))));
    text.close("}");
    text.open("dictionary modes = {");
    text.line(format_args!("double[] first = {}", list(tracks.modes.iter().map(|label| label.first))));
    text.line(format_args!("double[] last = {}", list(tracks.modes.iter().map(|label| label.last))));
    text.line(format_args!("string[] mode = {}", list(tracks.modes.iter().map(|label| quoted(label.mode)))));
    text.close("}");
    text.close("}");
    text.close(")");
    text.open("{");
    text.line(format_args!("uniform token[] joints = {}", list(joints.iter().map(|joint| quoted(joint)))));
    text.open("quatf[] rotations.timeSamples = {");
    for (frame, code) in codes.codes.iter().enumerate() {
        text.line(format_args!(
            "{code}: {},",
            list(tracks.rotations.iter().map(|rotations| quaternion(rotations[frame])))
        ));
    }
    text.close("}");
    text.line(format_args!("half3[] scales = {}", list(joints.iter().map(|_| "(1, 1, 1)"))));
    // Only the root moves, but the format samples all translations together.
    let others: Vec<String> =
        character.links.iter().skip(1).map(|link| vector(link.parent_from_joint.translation)).collect();
    text.open("float3[] translations.timeSamples = {");
    for (place, code) in tracks.root_translations.iter().zip(&codes.codes) {
        text.line(format_args!("{code}: {},", list(std::iter::once(&vector(*place)).chain(&others))));
    }
    text.close("}");
    text.close("}");
}

/// Writes one mesh with a subset of its faces for each region.
fn write_mannequin(text: &mut Text, regions: &[RegionMesh], body: &str) {
    text.open("def Mesh \"mannequin\" (");
    text.line("prepend apiSchemas = [\"SkelBindingAPI\", \"MaterialBindingAPI\"]");
    text.close(")");
    text.open("{");
    let points: Vec<Vec3> = regions.iter().flat_map(|region_mesh| &region_mesh.points).copied().collect();
    let mut corners = Vec::new();
    let mut subsets = Vec::new();
    let mut first = 0;
    for region_mesh in regions {
        let faces = corners.len()..corners.len() + region_mesh.triangles.len();
        corners.extend(region_mesh.triangles.iter().map(|triangle| triangle.map(|corner| first + corner)));
        first += region_mesh.points.len() as u32;
        subsets.push((region_mesh, faces));
    }
    write_surface(
        text,
        &points,
        regions.iter().flat_map(|region_mesh| &region_mesh.normals).copied(),
        "vertex",
        &corners,
    );
    text.line("matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))");
    let bound = |text: &mut Text, what: &str, numbers: String| {
        text.open(format_args!("{what} = {numbers} ("));
        text.line("elementSize = 1");
        text.line("interpolation = \"vertex\"");
        text.close(")");
    };
    let links = list(regions.iter().flat_map(|region_mesh| &region_mesh.links).map(|link| link.index()));
    bound(text, "int[] primvars:skel:jointIndices", links);
    bound(text, "float[] primvars:skel:jointWeights", list(points.iter().map(|_| 1)));
    text.line(format_args!("rel skel:skeleton = </World/{body}/skeleton>"));
    text.line("uniform token subsetFamily:materialBind:familyType = \"partition\"");
    for (region_mesh, faces) in subsets {
        let name = material_name(region_mesh);
        text.open(format_args!("def GeomSubset {} (", quoted(&name)));
        text.line("prepend apiSchemas = [\"MaterialBindingAPI\"]");
        text.close(")");
        text.open("{");
        text.line("uniform token elementType = \"face\"");
        text.line("uniform token familyName = \"materialBind\"");
        text.line(format_args!("int[] indices = {}", list(faces)));
        text.line(format_args!("rel material:binding = </World/materials/{name}>"));
        text.close("}");
    }
    text.close("}");
}

fn write_level(text: &mut Text, world: &World) {
    text.open("def Xform \"level\" {");
    let names = names(world.obstacles.iter().map(|obstacle| obstacle.name.as_str()));
    for (obstacle, name) in world.obstacles.iter().zip(names) {
        text.open(format_args!("def Mesh {} (", quoted(&name)));
        text.line("prepend apiSchemas = [\"MaterialBindingAPI\"]");
        text.line(format_args!("displayName = {}", quoted(&obstacle.name)));
        text.close(")");
        text.open("{");
        let faces = obstacle_triangles::faces(obstacle);
        let corners: Vec<[u32; 3]> = (0..faces.len() as u32).map(|face| [0, 1, 2].map(|k| 3 * face + k)).collect();
        let points: Vec<Vec3> = faces.iter().flat_map(|(corners, _)| *corners).collect();
        let normals = faces.iter().map(|(_, normal)| *normal);
        write_surface(text, &points, normals, "uniform", &corners);
        if !obstacle.is_solid() {
            text.line("uniform bool doubleSided = 1");
        }
        text.line("rel material:binding = </World/materials/level>");
        text.close("}");
    }
    text.close("}");
}

/// Writes the attributes that every mesh has.
fn write_surface(
    text: &mut Text,
    points: &[Vec3],
    normals: impl Iterator<Item = Vec3>,
    interpolation: &str,
    corners: &[[u32; 3]],
) {
    let least = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let greatest = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
    text.line(format_args!("float3[] extent = {}", list([least, greatest].map(vector))));
    text.line(format_args!("int[] faceVertexCounts = {}", list(corners.iter().map(|_| 3))));
    text.line(format_args!("int[] faceVertexIndices = {}", list(corners.iter().flatten())));
    text.open(format_args!("normal3f[] normals = {} (", list(normals.map(vector))));
    text.line(format_args!("interpolation = {}", quoted(interpolation)));
    text.close(")");
    text.line(format_args!("point3f[] points = {}", list(points.iter().copied().map(vector))));
    text.line("uniform token subdivisionScheme = \"none\"");
}

fn write_material(text: &mut Text, name: &str, [red, green, blue]: [f32; 3]) {
    text.open(format_args!("def Material {} {{", quoted(name)));
    text.line(format_args!("token outputs:surface.connect = </World/materials/{name}/surface.outputs:surface>"));
    text.open("def Shader \"surface\" {");
    text.line("uniform token info:id = \"UsdPreviewSurface\"");
    text.line(format_args!("color3f inputs:diffuseColor = ({red}, {green}, {blue})"));
    text.line("float inputs:metallic = 0");
    text.line("float inputs:roughness = 0.6");
    text.line("token outputs:surface");
    text.close("}");
    text.close("}");
}

/// Time codes of the samples.
struct TimeCodes {
    /// Time codes per second.
    rate: f64,
    codes: Vec<f64>,
}

impl TimeCodes {
    fn new(motion: &Motion, tracks: &SkeletalAnimation) -> Self {
        let timing = UniformTiming::of(&motion.frames);
        let rate = 1.0 / timing.step;
        let rounded = rate.round().max(1.0);
        let is_whole = !timing.keeps_frames || (rate - rounded).abs() < 1e-9 * rounded;
        let rate = if is_whole { rounded } else { rate };
        let code = |time: &f32| {
            let code = f64::from(*time) * rate;
            // Frame 7 has time code 7, without rounding errors of its time.
            if timing.keeps_frames { code.round() } else { (code * 1e4).round() / 1e4 }
        };
        Self { rate, codes: tracks.times.iter().map(code).collect() }
    }

    fn last(&self) -> f64 {
        self.codes.last().copied().unwrap_or(0.0)
    }
}

/// Returns each joint's path from the root.
fn joint_paths(character: &Character) -> TiVec<LinkId, String> {
    let names = names(character.links.iter().map(|link| link.name.as_str()));
    let mut paths: TiVec<LinkId, String> = TiVec::with_capacity(names.len());
    for (link, name) in character.links.iter().zip(names) {
        paths.push(link.parent.map_or(name.clone(), |parent| format!("{}/{name}", paths[parent])));
    }
    paths
}

/// KnownReturns unique identifiers of letters, digits and `_` that do not begin with a digit.
fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let led = |name: &str| {
        let begins_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
        if begins_with_digit { format!("_{name}") } else { name.to_owned() }
    };
    let led: Vec<String> = names.into_iter().map(led).collect();
    unique_names(led.iter().map(String::as_str), |letter| !letter.is_ascii_alphanumeric() && letter != '_')
}

fn material_name(region_mesh: &RegionMesh) -> String {
    names([region_mesh.region.name()]).remove(0)
}

/// Returns text in quotes, on one line.
fn quoted(words: &str) -> String {
    let mut quoted = "\"".to_owned();
    for letter in words.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => quoted.push(' '),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut text = "[".to_owned();
    for (index, item) in items.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        put(&mut text, format_args!("{comma}{item}"));
    }
    text.push(']');
    text
}

fn vector(vector: Vec3) -> String {
    // Adding zero turns -0 into 0.
    let [x, y, z] = vector.to_array().map(|number| number + 0.0);
    format!("({x}, {y}, {z})")
}

fn quaternion(rotation: Rotation) -> String {
    let [x, y, z, w] = rotation.to_array().map(|number| number + 0.0);
    format!("({w}, {x}, {y}, {z})")
}

/// Returns a row-major matrix for row vectors.
fn matrix(pose: &Pose) -> String {
    let row = |[x, y, z]: [f32; 3], last: u8| format!("({}, {}, {}, {last})", x + 0.0, y + 0.0, z + 0.0);
    let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| row((pose.rotation * axis).to_array(), 0));
    format!("({x}, {y}, {z}, {})", row(pose.translation.to_array(), 1))
}

fn put(text: &mut String, arguments: std::fmt::Arguments) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

/// Text with indented lines.
#[derive(Default)]
struct Text {
    text: String,
    depth: usize,
}

impl Text {
    fn line(&mut self, line: impl Display) {
        put(&mut self.text, format_args!("{:1$}{line}\n", "", 4 * self.depth));
    }

    /// Writes a line that ends in an opening brace, and indents the following lines.
    fn open(&mut self, line: impl Display) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, brace: &str) {
        self.depth -= 1;
        self.line(brace);
    }
}
