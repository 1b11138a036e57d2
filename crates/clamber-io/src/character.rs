//! Characters as TOML.

use std::path::Path;

use clamber_model::character::{
    Capsule, Character, CharacterError, Effector, Extremity, ExtremityShape, Hinge, Limb, Link, Parts, Root,
    RootLimits, Side,
};
use clamber_model::math::Vec3;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::error::{FileError, Source};
use crate::fields::{Number, Triple, Turn, vec3};
use crate::parse::{brief, find_named, parse_toml, refuse_repeated, suggest};

const VERSION: u32 = 1;

/// No more links, hinges, capsules, limbs, effectors or extremities than this: what is derived from them grows with the square.
const MOST: usize = 1000;

/// A jointed character: links from the root outwards, each hanging on its parent by hinges.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Clamber character")]
pub(crate) struct CharacterFile {
    /// The version of this format: 1.
    #[schemars(extend("const" = VERSION))]
    #[expect(dead_code, reason = "checked before the rest is read")]
    version: u32,
    /// What the character is called.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// How the first link moves through the world.
    root: RootEntry,
    /// How fast the first link may move.
    #[serde(default)]
    limits: RootLimitsEntry,
    /// The rigid parts, parents before children; the first is the root.
    #[schemars(extend("maxItems" = MOST))]
    link: Vec<LinkEntry>,
    /// The chains from the trunk to a tip.
    #[serde(default)]
    #[schemars(extend("maxItems" = MOST))]
    limb: Vec<LimbEntry>,
    /// The places that may touch the world.
    #[serde(default)]
    #[schemars(extend("maxItems" = MOST))]
    effector: Vec<EffectorEntry>,
    /// Hands and feet that planning leaves out and that are added to what was found.
    #[serde(default)]
    #[schemars(extend("maxItems" = MOST))]
    extremity: Vec<ExtremityEntry>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RootEntry {
    /// In the plane z = 0; all hinges turn about z.
    Planar,
    /// Anywhere, turned in any way.
    Free,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { speed = 6, acceleration = 20 }")]
struct RootLimitsEntry {
    /// The most metres a second along each axis; 6 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    speed: Option<Spanned<Number>>,
    /// The most that the speed changes in a second; 5 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    acceleration: Option<Spanned<Number>>,
    /// The most degrees a second; 400 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    turn_speed: Option<Spanned<Number>>,
    /// The most that the turn's speed changes in a second; 4000 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    turn_acceleration: Option<Spanned<Number>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a link")]
struct LinkEntry {
    /// Unique among the links.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The link it hangs on; the first link has none.
    #[schemars(with = "Option<String>")]
    parent: Option<Spanned<String>>,
    /// Where the joint is in the parent's frame, in metres.
    #[serde(default)]
    at: Triple,
    /// How the joint is turned against the parent's frame, before any hinge turns.
    #[serde(default)]
    turn: Turn,
    /// The hinges of the joint, applied in order; several make a ball joint.
    #[serde(default)]
    hinges: Vec<HingeEntry>,
    /// In kilograms.
    #[schemars(with = "Number", extend("minimum" = 0))]
    mass: Spanned<Number>,
    /// In the link's frame, in metres.
    #[serde(default)]
    center_of_mass: Triple,
    /// The link's shape.
    #[serde(default)]
    capsules: Vec<CapsuleEntry>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { name = \"knee\", axis = \"z\", min = -150, max = 0 }")]
struct HingeEntry {
    /// Unique among the hinges.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// What it turns about, counter-clockwise seen against the axis: x is forward, y up, z to the right.
    axis: AxisEntry,
    /// The least angle, in degrees.
    min: Number,
    /// The greatest angle, in degrees.
    max: Number,
    /// The angle of the relaxed body, in degrees.
    #[serde(default)]
    rest: Number,
    /// The most degrees a second; 700 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    speed: Option<Spanned<Number>>,
    /// The most that the speed changes in a second; 25000 when not given.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    acceleration: Option<Spanned<Number>>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AxisEntry {
    X,
    Y,
    Z,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table such as { from = [0, 0, 0], to = [0, 1, 0], radius = 0.1 }")]
struct CapsuleEntry {
    /// One end of the axis, in the link's frame.
    from: Triple,
    /// The other end.
    to: Triple,
    /// The thickness around the axis, in metres.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    radius: Spanned<Number>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of a limb")]
struct LimbEntry {
    /// Unique among the limbs.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The link that hangs on the trunk.
    #[schemars(with = "String")]
    from: Spanned<String>,
    /// The link at the tip.
    #[schemars(with = "String")]
    to: Spanned<String>,
    /// The side of the body.
    #[serde(default)]
    side: SideEntry,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SideEntry {
    Left,
    Right,
    #[default]
    Middle,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an effector")]
struct EffectorEntry {
    /// Unique among the effectors.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The link it is a place of.
    #[schemars(with = "String")]
    link: Spanned<String>,
    /// The centre of its sphere, in the link's frame.
    center: Triple,
    /// The radius of its sphere, in metres: it touches a surface from this far.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    radius: Spanned<Number>,
    /// The direction, in the link's frame, that points into the surface it touches.
    #[schemars(with = "Option<Triple>")]
    facing: Option<Spanned<Triple>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table with the keys of an extremity")]
struct ExtremityEntry {
    /// The effector that it goes on from, which no other one does: the ankle, or the middle of the palm.
    #[schemars(with = "String")]
    effector: Spanned<String>,
    /// What it is.
    #[schemars(with = "ExtremityKind")]
    kind: Spanned<ExtremityKind>,
    /// Of a foot: from the ankle back to the end of the heel, in metres.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    heel: Option<Spanned<Number>>,
    /// Of a foot: from the ankle forward to the ball, in metres.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    ball: Option<Spanned<Number>>,
    /// Of a foot: from the ball to the tips of the toes, in metres.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    toes: Option<Spanned<Number>>,
    /// Of a hand: from the effector to the knuckles, in metres.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    palm: Option<Spanned<Number>>,
    /// Of a hand: from the knuckles to the finger tips, in metres.
    #[schemars(with = "Option<Number>", extend("exclusiveMinimum" = 0))]
    fingers: Option<Spanned<Number>>,
    /// From the sole, or the palm, to the other side, in metres; twice the effector's radius at most.
    #[schemars(with = "Number", extend("exclusiveMinimum" = 0))]
    thickness: Spanned<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ExtremityKind {
    /// At right angles to the limb: a heel, a ball, toes.
    Foot,
    /// In line with the limb: a palm, fingers.
    Hand,
}

/// Reads a character from the bytes of a file; `file` is named in errors.
pub fn parse_character(file: &Path, bytes: &[u8]) -> Result<Character, FileError> {
    let source = Source::new(file, bytes)?;
    let entries: CharacterFile = parse_toml(&source, VERSION)?;
    if entries.name.get_ref().is_empty() {
        return Err(source.error(entries.name.span(), "the character needs a name"));
    }
    let mut parts = Parts {
        name: entries.name.get_ref().clone(),
        root: match entries.root {
            RootEntry::Planar => Root::Planar,
            RootEntry::Free => Root::Free,
        },
        root_limits: RootLimits {
            speed: positive_or(&source, &entries.limits.speed, 6.0)?,
            acceleration: positive_or(&source, &entries.limits.acceleration, 5.0)?,
            turn_speed: positive_or(&source, &entries.limits.turn_speed, 400.0)?.to_radians(),
            turn_acceleration: positive_or(&source, &entries.limits.turn_acceleration, 4000.0)?.to_radians(),
        },
        links: Vec::new(),
        hinges: Vec::new(),
        capsules: Vec::new(),
        limbs: Vec::new(),
        effectors: Vec::new(),
        extremities: Vec::new(),
    };
    refuse_too_many(&source, &entries)?;
    for entry in &entries.link {
        add_link(&source, entry, &entries, &mut parts)?;
    }
    for entry in &entries.limb {
        let limb = limb(&source, entry, &parts)?;
        parts.limbs.push(limb);
    }
    for entry in &entries.effector {
        let effector = effector(&source, entry, &parts)?;
        parts.effectors.push(effector);
    }
    for entry in &entries.extremity {
        let extremity = extremity(&source, entry, &parts)?;
        parts.extremities.push(extremity);
    }
    Character::new(parts).map_err(|error| {
        let placed = source.error(span_of(&error, &entries), error.to_string());
        match help_for(&error) {
            Some(help) => placed.with_help(help),
            None => placed,
        }
    })
}

fn refuse_too_many(source: &Source, entries: &CharacterFile) -> Result<(), FileError> {
    let counts = [
        ("links", entries.link.len()),
        ("hinges", entries.link.iter().map(|link| link.hinges.len()).sum()),
        ("capsules", entries.link.iter().map(|link| link.capsules.len()).sum()),
        ("limbs", entries.limb.len()),
        ("effectors", entries.effector.len()),
        ("extremities", entries.extremity.len()),
    ];
    match counts.into_iter().find(|(_, count)| *count > MOST) {
        None => Ok(()),
        Some((what, count)) => {
            let message = format!("the character has {count} {what}, and {MOST} is the most");
            Err(source.error(entries.name.span(), message))
        }
    }
}

fn add_link(source: &Source, entry: &LinkEntry, entries: &CharacterFile, parts: &mut Parts) -> Result<(), FileError> {
    let index = parts.links.len();
    refuse_repeated(source, &entry.name, parts.links.iter().map(|link| &link.name))?;
    let parent = match &entry.parent {
        None if index == 0 => None,
        None => {
            let message = format!("link `{}` has no parent", brief(entry.name.get_ref()));
            let help = "add `parent`, the name of the link it hangs on; only the first link has none";
            return Err(source.error(entry.name.span(), message).with_help(help));
        }
        Some(name) if index == 0 => {
            let message = "the first link is the root and has no parent";
            return Err(source.error(name.span(), message).with_help("leave `parent` out, or put its link first"));
        }
        Some(name) => match find_link(source, name, parts) {
            Err(error) if entries.link.iter().any(|link| link.name.get_ref() == name.get_ref()) => {
                return Err(error.with_help("it comes later in the file; put parents before their children"));
            }
            found => Some(found?),
        },
    };
    let first_hinge = parts.hinges.len();
    for hinge in &entry.hinges {
        refuse_repeated(source, &hinge.name, parts.hinges.iter().map(|hinge| &hinge.name))?;
        parts.hinges.push(Hinge {
            name: hinge.name.get_ref().clone(),
            link: index,
            axis: match hinge.axis {
                AxisEntry::X => Vec3::X,
                AxisEntry::Y => Vec3::Y,
                AxisEntry::Z => Vec3::Z,
            },
            min: hinge.min.radians(),
            max: hinge.max.radians(),
            rest: hinge.rest.radians(),
            speed: positive_or(source, &hinge.speed, 700.0)?.to_radians(),
            acceleration: positive_or(source, &hinge.acceleration, 25_000.0)?.to_radians(),
        });
    }
    let Number(mass) = *entry.mass.get_ref();
    if mass < 0.0 {
        return Err(source.error(entry.mass.span(), "a mass must not be less than 0"));
    }
    let first_capsule = parts.capsules.len();
    for capsule in &entry.capsules {
        let radius = positive(source, &capsule.radius, "a radius")?;
        parts.capsules.push(Capsule { a: vec3(capsule.from), b: vec3(capsule.to), radius });
    }
    parts.links.push(Link {
        name: entry.name.get_ref().clone(),
        parent,
        parent_from_joint: entry.turn.at(vec3(entry.at)),
        hinges: first_hinge..parts.hinges.len(),
        capsules: first_capsule..parts.capsules.len(),
        mass,
        center_of_mass: vec3(entry.center_of_mass),
    });
    Ok(())
}

fn limb(source: &Source, entry: &LimbEntry, parts: &Parts) -> Result<Limb, FileError> {
    refuse_repeated(source, &entry.name, parts.limbs.iter().map(|limb| &limb.name))?;
    let first = find_link(source, &entry.from, parts)?;
    let tip = find_link(source, &entry.to, parts)?;
    let mut links = vec![tip];
    while links[links.len() - 1] != first {
        match parts.links[links[links.len() - 1]].parent {
            Some(parent) => links.push(parent),
            None => {
                let (from, to) = (entry.from.get_ref(), entry.to.get_ref());
                let message = format!("link `{to}` does not hang on link `{from}`");
                return Err(source.error(entry.to.span(), message).with_help("a limb goes from the trunk outwards"));
            }
        }
    }
    links.reverse();
    let hinges = links.iter().flat_map(|&link| parts.links[link].hinges.clone()).collect();
    let side = match entry.side {
        SideEntry::Left => Side::Left,
        SideEntry::Right => Side::Right,
        SideEntry::Middle => Side::Middle,
    };
    Ok(Limb { name: entry.name.get_ref().clone(), links, hinges, side })
}

fn effector(source: &Source, entry: &EffectorEntry, parts: &Parts) -> Result<Effector, FileError> {
    refuse_repeated(source, &entry.name, parts.effectors.iter().map(|effector| &effector.name))?;
    let link = find_link(source, &entry.link, parts)?;
    let facing = match &entry.facing {
        None => None,
        Some(facing) => match vec3(*facing.get_ref()).try_normalize() {
            Some(direction) => Some(direction),
            None => {
                let message = "a `facing` of length 0 has no direction";
                return Err(source.error(facing.span(), message).with_help("such as [0, -1, 0] for a sole"));
            }
        },
    };
    Ok(Effector {
        name: entry.name.get_ref().clone(),
        link,
        limb: parts.limbs.iter().position(|limb| limb.links.contains(&link)),
        center: vec3(entry.center),
        radius: positive(source, &entry.radius, "a radius")?,
        facing,
    })
}

fn positive_or(source: &Source, number: &Option<Spanned<Number>>, otherwise: f32) -> Result<f32, FileError> {
    number.as_ref().map_or(Ok(otherwise), |number| positive(source, number, "a limit"))
}

fn extremity(source: &Source, entry: &ExtremityEntry, parts: &Parts) -> Result<Extremity, FileError> {
    let names: Vec<&String> = parts.effectors.iter().map(|effector| &effector.name).collect();
    let effector = find_named(source, "effector", &entry.effector, &names)?;
    let name = brief(entry.effector.get_ref());
    if parts.extremities.iter().any(|other| other.effector == effector) {
        let message = format!("effector `{name}` has a hand or foot already");
        return Err(source.error(entry.effector.span(), message).with_help("leave one of the two out"));
    }
    let kind = *entry.kind.get_ref();
    let (word, other) = match kind {
        ExtremityKind::Foot => ("foot", "hand"),
        ExtremityKind::Hand => ("hand", "foot"),
    };
    let keys = [
        ("heel", &entry.heel, ExtremityKind::Foot),
        ("ball", &entry.ball, ExtremityKind::Foot),
        ("toes", &entry.toes, ExtremityKind::Foot),
        ("palm", &entry.palm, ExtremityKind::Hand),
        ("fingers", &entry.fingers, ExtremityKind::Hand),
    ];
    let mut measures = Vec::new();
    for (key, number, of) in keys {
        match (number, of == kind) {
            (Some(number), true) => measures.push(positive(source, number, "a measure")?),
            (None, false) => {}
            (Some(number), false) => {
                let help = format!("leave it out, or set `kind` to \"{other}\"");
                return Err(source.error(number.span(), format!("a {word} has no `{key}`")).with_help(help));
            }
            (None, true) => {
                let help = format!("add `{key}`, in metres");
                return Err(source.error(entry.kind.span(), format!("a {word} needs `{key}`")).with_help(help));
            }
        }
    }
    let thickness = positive(source, &entry.thickness, "a measure")?;
    let room = 2.0 * parts.effectors[effector].radius;
    if thickness > room {
        let message = format!("a {word} of effector `{name}` is {room} m thick at most");
        let help = "that is twice the effector's radius: the effector's sphere rests on what it holds on to";
        return Err(source.error(entry.thickness.span(), message).with_help(help));
    }
    let shape = match (kind, measures.as_slice()) {
        (ExtremityKind::Foot, &[heel, ball, toes]) => ExtremityShape::Foot { heel, ball, toes, thickness },
        (_, measures) => ExtremityShape::Hand { palm: measures[0], fingers: measures[1], thickness },
    };
    Ok(Extremity { effector, shape })
}

/// `what` is what the number is, as errors name it.
fn positive(source: &Source, number: &Spanned<Number>, what: &str) -> Result<f32, FileError> {
    let Number(value) = *number.get_ref();
    if value > 0.0 { Ok(value) } else { Err(source.error(number.span(), format!("{what} must be greater than 0"))) }
}

fn find_link(source: &Source, name: &Spanned<String>, parts: &Parts) -> Result<usize, FileError> {
    parts.links.iter().position(|link| link.name == *name.get_ref()).ok_or_else(|| {
        let known: Vec<&String> = parts.links.iter().map(|link| &link.name).collect();
        let message = format!("there is no link `{}` before this line", brief(name.get_ref()));
        source.error(name.span(), message).with_help(suggest(name.get_ref(), &known))
    })
}

/// What would be right, where the model's own words do not say it.
fn help_for(error: &CharacterError) -> Option<&'static str> {
    match error {
        CharacterError::NoLinks => Some("add a table [[link]]"),
        CharacterError::Limits { .. } => Some("`rest` is 0 where it is not given"),
        CharacterError::NoMass => Some("give at least one link a `mass` greater than 0"),
        CharacterError::NoShape => Some("add `capsules` to a link: they are what must not touch obstacles"),
        _ => None,
    }
}

/// Where the named thing of a model's error stands in the file.
fn span_of(error: &CharacterError, entries: &CharacterFile) -> std::ops::Range<usize> {
    let link_named = |name: &String| entries.link.iter().map(|link| &link.name).find(|link| link.get_ref() == name);
    let hinge_named = |name: &String| {
        entries.link.iter().flat_map(|link| &link.hinges).map(|hinge| &hinge.name).find(|hinge| hinge.get_ref() == name)
    };
    let named = match error {
        CharacterError::NoLinks | CharacterError::NoMass | CharacterError::NoShape => None,
        CharacterError::ParentOrder { link }
        | CharacterError::Ranges { link }
        | CharacterError::Shape { link }
        | CharacterError::JointOffPlane { link } => link_named(link),
        CharacterError::MissingLink { name } => entries
            .limb
            .iter()
            .map(|limb| &limb.name)
            .chain(entries.effector.iter().map(|effector| &effector.name))
            .find(|named| named.get_ref() == name),
        CharacterError::Extremity { effector } => {
            entries.extremity.iter().map(|entry| &entry.effector).find(|named| named.get_ref() == effector)
        }
        CharacterError::NotPlanar { hinge } | CharacterError::Axis { hinge } | CharacterError::Limits { hinge } => {
            hinge_named(hinge)
        }
    };
    named.unwrap_or(&entries.name).span()
}
