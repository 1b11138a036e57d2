//! Hostile files: the largest, the flattest, the most deeply nested.

use std::fmt::Write;
use std::time::Duration;

use crate::promises::Verdict::{self, Accepted, Refused};
use crate::seeds::{Files, Kind, Seed, seeds};
use crate::supervise::{Case, Limits, alone, watch};

/// A name, the kind of file, its text and the expected outcome.
type Hostile = (&'static str, Kind, String, Verdict);

#[test]
fn hostile_files_are_read_or_rejected_in_time() {
    let alone = alone();
    let (mut files, _) = seeds();
    files.insert("scenes/open.toml".into(), scene("figure", OPEN, "").into());
    files.insert("characters/made.toml".into(), character(2, "").into());
    files.insert("characters/table.toml".into(), character(2, &tips(2)).into());
    files.insert("scenes/table.toml".into(), scene("table", OPEN, "").into());
    files.insert("characters/many.toml".into(), character(1000, &tips(1000)).replace("made", "many").into());
    let tips = repeated(1000, |i| format!("\"tip{i}\", "));
    files.insert(
        "characters/many.modes.toml".into(),
        modes("").replace("made", "many").replace("\"tip1\"", &tips).into(),
    );
    files.insert("scenes/made.toml".into(), scene("made", OPEN, "").into());
    for mesh in ["made.obj", "made.gltf"] {
        let obstacle = format!("[[obstacle]]\nname = \"mesh\"\nmesh = {{ file = \"meshes/{mesh}\" }}\n");
        files.insert(format!("scenes/{mesh}.toml").into(), scene("human", ROOM, &obstacle).into());
    }
    let all = [
        worlds(),
        holds(),
        pins(),
        contacts(),
        tables(),
        polygons(),
        meshes(),
        nets(),
        characters(),
        texts(),
        motions(&files),
    ];
    let all = all.concat();
    let expected: Vec<(String, Verdict)> = all.iter().map(|(name, .., verdict)| (name.to_string(), *verdict)).collect();
    let cases = all.into_iter().map(|(name, kind, text, _)| {
        let (file, scene) = match kind {
            Kind::Scene => ("scenes/open.toml", "scenes/open.toml"),
            Kind::Character => ("characters/made.toml", "scenes/made.toml"),
            Kind::Modes => ("characters/table.modes.toml", "scenes/table.toml"),
            Kind::Mesh if text.starts_with('{') => ("scenes/meshes/made.gltf", "scenes/made.gltf.toml"),
            Kind::Mesh => ("scenes/meshes/made.obj", "scenes/made.obj.toml"),
            Kind::Motion => ("made.json", "scenes/open.toml"),
        };
        let seed = Seed { kind, file: file.into(), scene: scene.into(), mutants: 1 };
        Case { name: name.to_owned(), seed, bytes: text.into() }
    });
    let limits = Limits { time: Duration::from_secs(60), memory: 1 << 30 };
    let tally = watch(&alone, limits, files, cases);
    println!("{tally}");
    for (name, verdict) in expected {
        assert_eq!(tally.verdicts[&name], verdict, "{name}");
    }
}

const OPEN: &str = "{ min = [0, 0], max = [3, 2] }";
const ROOM: &str = "{ min = [0, 0, -1], max = [3, 2, 1] }";

fn scene(character: &str, bounds: &str, obstacles: &str) -> String {
    format!(
        "version = 1\nname = \"hostile\"\ncharacter = \"../characters/{character}.toml\"\nbounds = \
         {bounds}\n{obstacles}\n\
         [start]\nposition = [0.5, 1.2]\n[goal]\nposition = [2.5, 1.2]\n"
    )
}

fn cuboid(name: impl std::fmt::Display, center: &str, size: &str) -> String {
    format!("[[obstacle]]\nname = \"{name}\"\nbox = {{ center = {center}, size = {size} }}\n")
}

fn repeated(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect()
}

fn worlds() -> Vec<Hostile> {
    let dot = cuboid("dot", "[1.5, 1, 0]", "[0.1, 0.1, 0.1]");
    let slab = cuboid("slab", "[0, 0, 0]", "[100000, 100000, 100000]");
    let thin = cuboid("thin", "[1.5, 1, 0]", "[1e-30, 1e-30, 1e-30]");
    let sheet = cuboid("sheet", "[1.5, 1, 0]", "[100000, 1e-30, 100000]");
    let far = cuboid("far", "[99999, -99999, 99999]", "[1, 1, 1]");
    let everywhere = "{ min = [-1e5, -1e5, -1e5], max = [1e5, 1e5, 1e5] }";
    let thread = "{ min = [0, 0, 0], max = [1e5, 1e-3, 1e-3] }";
    let speck = "{ min = [99999.99, 0, 0], max = [1e5, 1e-30, 1e-30] }";
    let grid = |count| repeated(count, |i| cuboid(i, &format!("[{}, {}]", i % 100, i / 100), "[0.3, 0.3]"));
    let heap = |count| repeated(count, |i| cuboid(i, "[1.5, 0.3, 0]", "[0.3, 0.3, 0.3]"));
    let named = |mesh: &str, count| {
        repeated(count, |i| format!("[[obstacle]]\nname = \"{i}\"\nmesh = {{ file = \"meshes/{mesh}\" }}\n"))
    };
    let scaled = |scale: &str, position: &str| {
        format!("[[obstacle]]\nname = \"m\"\nmesh = {{ file = \"meshes/cube.obj\", scale = {scale}{position} }}\n")
    };
    let aside = ", position = [1.5, 1, 1]";
    let all = [
        ("the largest region", "human", everywhere, &dot, Accepted),
        ("the largest flat region", "figure", everywhere, &dot, Accepted),
        ("the largest region, full", "human", everywhere, &slab, Accepted),
        ("a thread of a region", "human", thread, &dot, Accepted),
        ("a speck of a region", "human", speck, &dot, Accepted),
        ("a box as large as the world", "human", ROOM, &slab, Accepted),
        ("a box as small as numbers go", "human", ROOM, &thin, Accepted),
        ("a box as flat as numbers go", "human", ROOM, &sheet, Accepted),
        ("an obstacle far away", "human", ROOM, &far, Accepted),
        ("no obstacles", "human", ROOM, &String::new(), Accepted),
        ("ten thousand obstacles", "human", "{ min = [0, 0, -1], max = [100, 100, 1] }", &grid(10_000), Accepted),
        ("ten thousand obstacles at one place", "human", ROOM, &heap(10_000), Accepted),
        ("two obstacles of one name", "human", ROOM, &format!("{dot}{dot}"), Refused),
        ("one mesh a thousand times", "human", ROOM, &named("cube.obj", 1000), Accepted),
        ("too many triangles", "human", ROOM, &named("boulders.obj", 500), Refused),
        ("a mesh too small for the precision of its position", "human", ROOM, &scaled("1e-30", aside), Refused),
        ("a mesh as small as numbers go", "human", ROOM, &scaled("1e-30", ""), Accepted),
        ("a mesh of a millimetre", "human", ROOM, &scaled("1e-3", aside), Accepted),
        ("a mesh of a hundred kilometres", "human", ROOM, &scaled("1e5", ""), Accepted),
        ("a mesh that is too large", "human", ROOM, &scaled("99999", aside), Refused),
    ];
    all.map(|(name, who, bounds, obstacles, verdict)| (name, Kind::Scene, scene(who, bounds, obstacles), verdict))
        .into()
}

fn holds() -> Vec<Hostile> {
    let with = |obstacle: String, holds: &str| format!("{obstacle}holds = {{ {holds} }}\n");
    let slab = cuboid("slab", "[0, 0, 0]", "[100000, 100000, 100000]");
    let turned = slab.replace("] }", "], turn = { heading = 40, pitch = 20 } }");
    let heap = repeated(10_000, |i| with(cuboid(i, "[1.5, 0.3, 0]", "[0.3, 0.3, 0.3]"), "everywhere = true"));
    let crowd = repeated(1000, |i| with(cuboid(i, "[1.5, 0.3, 0]", "[0.3, 0.3, 0.3]"), "every = 0.1"));
    let boulders =
        with("[[obstacle]]\nname = \"m\"\nmesh = { file = \"meshes/boulders.obj\" }\n".to_owned(), "every = 0.02");
    let long = with(cuboid("n".repeat(1_000_000), "[1.5, 0.3]", "[1, 1]"), "every = 0.02");
    let points = |count| repeated(count, |i| format!("[[hold]]\nat=[{i},0]\nnormal=[0,1]\n"));
    let nowhere = "[[hold]]\nat = [1e5, 1e5]\n".repeat(1000);
    let flat = with(cuboid("flat", "[1.5, 1, 0]", "[100000, 1e-30, 100000]"), "every = 1e5");
    let all = [
        ("holds all over a box as large as the world", "human", ROOM, with(slab.clone(), "every = 0.02"), Refused),
        ("holds all over a turned one", "human", ROOM, with(turned, "every = 0.02"), Refused),
        (
            "holds all around a section as large as the world",
            "figure",
            OPEN,
            with(slab.clone(), "every = 0.02"),
            Refused,
        ),
        ("a box as large as the world as one hold", "figure", OPEN, with(slab, "everywhere = true"), Accepted),
        ("a hundred thousand triangles as holds", "human", ROOM, heap, Accepted),
        ("a thousand boxes full of holds at one place", "human", ROOM, crowd, Accepted),
        ("boulders full of holds", "human", ROOM, boulders, Accepted),
        ("the holds of a long name", "figure", OPEN, long, Refused),
        ("fifty thousand placed holds", "figure", OPEN, points(50_000), Accepted),
        ("holds nowhere", "figure", OPEN, nowhere, Refused),
        ("holds too far apart for any", "human", ROOM, flat, Accepted),
    ];
    all.map(|(name, who, bounds, more, verdict)| (name, Kind::Scene, scene(who, bounds, &more), verdict)).into()
}

fn pins() -> Vec<Hostile> {
    let heap = repeated(50_000, |_| "[[hold]]\nat=[1,1]\nnormal=[0,1]\n".to_owned());
    let with = |forbidden: &str, pins: &str| {
        scene("figure", OPEN, &format!("{heap}{pins}"))
            .replace("bounds =", &format!("forbidden = [{forbidden}]\nbounds ="))
    };
    let named = repeated(50_000, |i| format!("\"hold {}\",", i + 1));
    let near = |count| repeated(count, |_| "{near=[1,1]},".to_owned());
    let pinned = |count| repeated(count, |_| "[[pin]]\nnear=[1,1]\n".to_owned());
    let all = [
        ("fifty thousand forbidden holds", with(&named, ""), Accepted),
        ("a place forbidden a thousand times", with(&near(1000), ""), Accepted),
        ("too many forbidden places", with(&near(1001), ""), Refused),
        ("a thousand pins", with("", &pinned(1000)), Accepted),
        ("too many pins", with("", &pinned(1001)), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Scene, text, verdict)).into()
}

fn contacts() -> Vec<Hostile> {
    let floor = "[[obstacle]]\nname = \"floor\"\nbox = { center = [1.5, -0.5], size = [3, 1] }\nholds = { everywhere = true }\n";
    let reaching = |who: &str, contacts: &str| {
        let goal = format!("[goal]\ncontacts = {{ {contacts} }}\n");
        scene(who, OPEN, floor).replace("[goal]\n", &goal)
    };
    let tips =
        |count: usize, place: &str| repeated(count, |i| format!("{}tip{i} = {place}", if i == 0 { "" } else { ", " }));
    let passage = |count: usize, posture: &str, more: &str| {
        let list = vec![posture; count].join(", ");
        scene("figure", OPEN, &format!("{floor}[[passage]]\nname = \"p\"\n{more}postures = [{list}]\n"))
    };
    let standing = "{ position = [1, 0.9], contacts = { left_foot = [1, 0] } }";
    let all = [
        ("a thousand contacts", reaching("many", &tips(1000, "[1, 0]")), Refused),
        (
            "fifty contacts that cannot be",
            reaching(
                "many",
                &repeated(50, |i| format!("{}tip{} = [{}.5, 0]", if i == 0 { "" } else { ", " }, 20 * i, i % 3)),
            ),
            Refused,
        ),
        ("a contact as far away as possible", reaching("figure", "left_foot = [1e5, 1e5]"), Refused),
        ("a thousand standing postures", passage(1000, standing, "seconds = 100\n"), Accepted),
        ("too many postures", passage(1001, "{ position = [1, 1] }", ""), Refused),
        ("a passage for ever", passage(2, "{ position = [1, 1] }", "seconds = 1e5\n"), Refused),
        ("a passage in no time", passage(2, "{ position = [1, 1] }", "seconds = 1e-30\n"), Accepted),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Scene, text, verdict)).into()
}

/// An effector and a limb for each link.
fn tips(links: usize) -> String {
    repeated(links, |i| {
        let limb = format!("[[limb]]\nname = \"limb {i}\"\nfrom = \"link {i}\"\nto = \"link {i}\"\n");
        format!("{limb}[[effector]]\nname = \"tip{i}\"\nlink = \"link {i}\"\ncenter = [0.01, 0, 0]\nradius = 0.01\n")
    })
}

fn modes(more: &str) -> String {
    let carry = "carry = { tips = [\"load-bearing\"] }";
    format!(
        "version = 1\ncharacter = \"made\"\n[body]\ntrunk = \"link 0\"\nhead = \"link 0\"\n\
         [groups]\ntips = [\"tip1\"]\n[[mode]]\nname = \"mode\"\n{carry}\n{more}"
    )
}

fn tables() -> Vec<Hostile> {
    let named = |kind: &str, count: usize, rest: &str| {
        modes(&repeated(count, |i| format!("[[{kind}]]\nname = \"{kind} {i}\"\n{rest}\n")))
    };
    let edge = "from = \"mode\"\nto = \"mode\"";
    let failing = repeated(1000, |i| {
        format!("[[edge]]\nname = \"edge {i}\"\n{edge}\nwhen = [{{ failed = \"edge {}\", times = 2 }}]\n", 999 - i)
    });
    let conditions = |count| format!("{edge}\nwhen = [{}]", vec!["\"head_over_hip\""; count].join(", "));
    let all = [
        ("a table", modes(""), Accepted),
        ("a hundred modes", named("mode", 99, ""), Accepted),
        ("a hundred and one modes", named("mode", 100, ""), Refused),
        ("a thousand edges", named("edge", 1000, edge), Accepted),
        ("a thousand and one edges", named("edge", 1001, edge), Refused),
        ("edges that wait for each other", modes(&failing), Accepted),
        ("twenty conditions", named("edge", 1, &conditions(20)), Accepted),
        ("twenty-one conditions", named("edge", 1, &conditions(21)), Refused),
        ("as many edges as fit", modes(&"[[edge]]\n".repeat(300_000)), Refused),
        ("as many conditions as fit", named("edge", 1, &conditions(170_000)), Refused),
        (
            "a mode of a million letters",
            modes("").replace("\"mode\"", &format!("\"{}\"", "m".repeat(1_000_000))),
            Accepted,
        ),
        ("a table of nothing", String::new(), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Modes, text, verdict)).into()
}

fn polygons() -> Vec<Hostile> {
    const CORNERS: usize = 1000;
    let polygon = |corners: &[[f32; 2]]| {
        let corners: Vec<String> = corners.iter().map(|[x, y]| format!("[{x:.5}, {y:.5}]")).collect();
        format!("[[obstacle]]\nname = \"polygon\"\npolygon = [{}]\n", corners.join(", "))
    };
    let around = |radius: &dyn Fn(usize) -> f32, count: usize, turns: f32| -> Vec<[f32; 2]> {
        let corner = |i: usize| {
            let (sin, cos) = clamber_model::math::sin_cos(turns * std::f32::consts::TAU * i as f32 / count as f32);
            [1.5 + radius(i) * cos, 1.0 + radius(i) * sin]
        };
        (0..count).map(corner).collect()
    };
    let round = around(&|_| 0.5, CORNERS, 1.0);
    let star = around(&|i| if i % 2 == 0 { 0.5 } else { 0.1 }, CORNERS, 1.0);
    // A double spiral: most vertices see few others, which is hard for ear clipping.
    let arm = around(&|i| 0.1 + 0.001 * i as f32, CORNERS / 2, 8.0);
    let back = around(&|i| 0.12 + 0.001 * i as f32, CORNERS / 2, 8.0);
    let spiral: Vec<[f32; 2]> = arm.iter().copied().chain(back.into_iter().rev()).collect();
    let tooth = |i: usize| [3.0 * i as f32 / CORNERS as f32, if i.is_multiple_of(2) { 0.1 } else { 1.0 }];
    let comb: Vec<[f32; 2]> = (0..CORNERS - 2).map(tooth).chain([[3.0, -1.0], [0.0, -1.0]]).collect();
    let straight: Vec<[f32; 2]> = (0..CORNERS - 1).map(|i| [i as f32 / 400.0, 0.1]).chain([[1.0, 0.0]]).collect();
    let all = [
        ("a round polygon of a thousand corners", polygon(&round), Accepted),
        ("a star of a thousand corners", polygon(&star), Accepted),
        ("a spiral of a thousand corners", polygon(&spiral), Accepted),
        ("a comb of a thousand corners", polygon(&comb), Accepted),
        ("a polygon of corners in line", polygon(&straight), Accepted),
        ("twenty spirals", repeated(20, |i| polygon(&spiral).replace("polygon\"", &format!("{i}\""))), Accepted),
        ("a polygon of too many corners", polygon(&around(&|_| 0.5, CORNERS + 1, 1.0)), Refused),
        ("a hundred thousand corners", polygon(&vec![[0.5, 0.5]; 100_000]), Refused),
        ("a polygon of no corners", polygon(&[]), Refused),
        ("a polygon of one corner", polygon(&[[0.5, 0.5]]), Refused),
        ("a polygon of one line", polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), Refused),
    ];
    all.map(|(name, obstacles, verdict)| (name, Kind::Scene, scene("figure", OPEN, &obstacles), verdict)).into()
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn meshes() -> Vec<Hostile> {
    let tetrahedra = |count: usize| {
        let mut text = String::new();
        for i in 0..count {
            // Nested shells around one point, alternately facing out and in.
            let size = 0.5 - 0.4 * i as f32 / count as f32;
            let faces = if i % 2 == 0 { OUTWARD } else { INWARD };
            write!(text, "v 1 0 0\nv {} 0 0\nv 1 {size} 0\nv 1 0 {size}\n", 1.0 + size).unwrap();
            faces.iter().for_each(|face| writeln!(text, "f {face}").unwrap());
        }
        text
    };
    const OUTWARD: [&str; 4] = ["-4 -2 -3", "-4 -3 -1", "-4 -1 -2", "-3 -2 -1"];
    const INWARD: [&str; 4] = ["-4 -3 -2", "-4 -1 -3", "-4 -2 -1", "-3 -1 -2"];
    let long = repeated(2000, |i| format!("v {} 0 0\nv {} 1 0\nv 1 1 1\nf -1 -2 -3\n", i % 50, i / 50));
    let gravel = repeated(25_000, |i| {
        let [x, y, z] = [i % 30, i / 30 % 30, i / 900].map(|i| i as f32 / 10.0);
        let corners = format!("v {x} {y} {z}\nv {} {y} {z}\nv {x} {} {z}\nv {x} {y} {}\n", x + 0.1, y + 0.1, z + 0.1);
        let faces = if i % 2 == 0 { OUTWARD } else { INWARD };
        faces.iter().fold(corners, |text, face| format!("{text}f {face}\n"))
    });
    let fan = format!("{TRIANGLE}f{}\n", " 1 2 3".repeat(50_000));
    let all = [
        ("five thousand nested shells", tetrahedra(5000), Accepted),
        ("a hundred thousand triangles of gravel", gravel, Accepted),
        ("two thousand long triangles through one point", long, Accepted),
        ("a face of a hundred and fifty thousand corners", fan, Accepted),
        ("a face of one point", "v 1 1 1\nf 1 1 1\n".to_owned(), Refused),
        ("a face without area", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n".to_owned(), Accepted),
        ("a face hardly larger than nothing", "v 0 0 0\nv 1e-38 0 0\nv 0 1e-38 0\nf 1 2 3\n".to_owned(), Accepted),
        ("a face like a needle", "v 0 0 0\nv 1e5 0 0\nv 1e5 1e-30 0\nf 1 2 3\n".to_owned(), Accepted),
        ("normals that are no numbers", format!("vn nan inf x\nvt\n{TRIANGLE}"), Accepted),
        ("a corner that is no number", format!("v nan 0 0\n{TRIANGLE}"), Refused),
        ("a corner beyond the world", format!("v 1e6 0 0\n{TRIANGLE}"), Refused),
        ("the least corner there is", format!("{TRIANGLE}f -9223372036854775808 1 2\n"), Refused),
        ("the greatest corner there is", format!("{TRIANGLE}f 9223372036854775807 1 2\n"), Refused),
        ("a corner past all numbers", format!("{TRIANGLE}f 99999999999999999999 1 2\n"), Refused),
        ("a face of two corners", format!("{TRIANGLE}f 1 2\n"), Refused),
        ("corners without faces", "v 0 0 0\n".repeat(300_000), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Mesh, text, verdict)).into()
}

/// glTF whose nodes repeat a mesh, or each other.
fn nets() -> Vec<Hostile> {
    let (files, _) = seeds();
    let cube = String::from_utf8(files[std::path::Path::new("scenes/meshes/cube.gltf")].clone()).unwrap();
    let begin = cube.find("\"nodes\": [\n").unwrap();
    let end = cube.find("\"meshes\"").unwrap();
    let with_nodes =
        |nodes: Vec<String>| format!("{}\"nodes\": [{}],\n  {}", &cube[..begin], nodes.join(",\n"), &cube[end..]);
    let children = |list: String| format!("{{ \"children\": [{list}] }}");
    let pairs = (0..60).map(|i| children(format!("{}, {}", i + 1, i + 1))).chain([children(String::new())]).collect();
    let two_ways =
        (0..60).map(|i| children(format!("{}, {}", 2 * i / 2 + 1, (i + 2).min(60)))).chain([children(String::new())]);
    let chain = (0..50_000).map(|i| children((i + 1).to_string())).chain(["{ \"mesh\": 0 }".to_owned()]).collect();
    let copies = |count: usize| {
        let all: Vec<String> = (1..=count).map(|i| i.to_string()).collect();
        std::iter::once(children(all.join(","))).chain((0..count).map(|_| "{ \"mesh\": 0 }".to_owned())).collect()
    };
    let blown_up =
        vec!["{ \"children\": [1], \"scale\": [1e30, 1e30, 1e30] }".to_owned(), "{ \"mesh\": 0 }".to_owned()];
    let all = [
        ("nodes that repeat each other", with_nodes(pairs), Refused),
        ("nodes with two parents", with_nodes(two_ways.collect()), Refused),
        ("a node that is its own child", with_nodes(vec![children("0".to_owned())]), Refused),
        ("fifty thousand nodes in a chain", with_nodes(chain), Accepted),
        ("ten thousand copies of a mesh", with_nodes(copies(10_000)), Accepted),
        ("more copies of a mesh than fit", with_nodes(copies(170_000)), Refused),
        (
            "as many objects as fit",
            cube.replace("\"meshes\"", &format!("\"materials\": [{{}}{}],\"meshes\"", ",{}".repeat(299_980))),
            Accepted,
        ),
        (
            "more objects than fit",
            cube.replace("\"meshes\"", &format!("\"materials\": [{{}}{}],\"meshes\"", ",{}".repeat(300_000))),
            Refused,
        ),
        ("a node that blows its mesh up", with_nodes(blown_up), Refused),
        ("a stride that is too short", cube.replace("\"byteStride\": 12", "\"byteStride\": 4"), Refused),
        ("a count past all numbers", cube.replace("\"count\": 8", "\"count\": 18446744073709551615"), Refused),
        (
            "an offset past all numbers",
            cube.replace("\"byteOffset\": 96", "\"byteOffset\": 18446744073709551615"),
            Refused,
        ),
        ("corners that are fractions", cube.replace("5123", "5126").replace("\"count\": 36", "\"count\": 18"), Refused),
        ("a position that is not there", cube.replace("\"POSITION\": 0", "\"POSITION\": 7"), Refused),
        ("lines for triangles", cube.replace("\"mode\": 4", "\"mode\": 1"), Refused),
        (
            "a buffer that says it is larger",
            cube.replace("\"byteLength\": 168", "\"byteLength\": 99999999999"),
            Refused,
        ),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Mesh, text, verdict)).into()
}

/// Returns a character with a chain of links, followed by more text.
fn character(links: usize, more: &str) -> String {
    let mut text = "version = 1\nname = \"made\"\nroot = \"planar\"\n".to_owned();
    for i in 0..links {
        let parent = if i == 0 { String::new() } else { format!("parent = \"link {}\"\n", i - 1) };
        let shape = "capsules = [{ from = [0, 0, 0], to = [0.01, 0, 0], radius = 0.01 }]";
        let hinge = format!("hinges = [{{ name = \"hinge {i}\", axis = \"z\", min = -10, max = 10 }}]");
        write!(text, "[[link]]\nname = \"link {i}\"\n{parent}mass = 1\nat = [0.01, 0, 0]\n{shape}\n{hinge}\n").unwrap();
    }
    text + more
}

fn characters() -> Vec<Hostile> {
    let chain = character(2, "");
    let limbs = repeated(1001, |i| format!("[[limb]]\nname = \"{i}\"\nfrom = \"link 0\"\nto = \"link 1\"\n"));
    let all = [
        ("a thousand links", character(1000, ""), Accepted),
        ("a thousand links in each other", character(1000, "").replace("version = 1", "version = 2"), Refused),
        ("a thousand and one links", character(1001, ""), Refused),
        ("ten thousand links", character(10_000, ""), Refused),
        ("a thousand and one limbs", character(2, &limbs), Refused),
        ("no links", character(0, "link = []"), Refused),
        (
            "no hinges",
            chain.lines().filter(|line| !line.starts_with("hinges")).map(|l| format!("{l}\n")).collect(),
            Accepted,
        ),
        ("a hinge that does not turn", chain.replace("min = -10, max = 10", "min = 0, max = 0"), Accepted),
        ("a hinge with its limits swapped", chain.replace("min = -10, max = 10", "min = 10, max = -10"), Refused),
        ("a hinge that turns for ever", chain.replace("min = -10, max = 10", "min = -1e5, max = 1e5"), Accepted),
        ("a link that is its own parent", chain.replace("parent = \"link 0\"", "parent = \"link 1\""), Refused),
        ("a circle of links", chain.replacen("mass", "parent = \"link 1\"\nmass", 1), Refused),
        ("a link as long as the world", chain.replace("[0.01, 0, 0], radius", "[1e5, 0, 0], radius"), Accepted),
        ("a link as thick as the world", chain.replace("radius = 0.01", "radius = 1e5"), Accepted),
        ("a link as thin as numbers go", chain.replace("radius = 0.01", "radius = 1e-30"), Accepted),
        ("a link of one point", chain.replace("to = [0.01, 0, 0]", "to = [0, 0, 0]"), Accepted),
        ("a link hardly longer than nothing", chain.replace("to = [0.01, 0, 0]", "to = [1e-30, 0, 0]"), Accepted),
        ("hardly any mass", chain.replace("mass = 1", "mass = 1e-30"), Accepted),
        ("no mass", chain.replace("mass = 1", "mass = 0"), Refused),
        ("less than no mass", chain.replacen("mass = 1", "mass = -1", 1), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Character, text, verdict)).into()
}

fn texts() -> Vec<Hostile> {
    const LONGEST: usize = 3_000_000;
    let good = scene("figure", OPEN, "");
    let all = [
        ("nothing", String::new(), Refused),
        ("a byte order mark", format!("\u{feff}{good}"), Accepted),
        ("line ends of another system", good.replace('\n', "\r\n"), Accepted),
        ("a million empty lines", "\n".repeat(1_000_000), Refused),
        ("a line of a million letters", "a".repeat(1_000_000), Refused),
        ("a name of a million letters", good.replace("hostile", &"\u{e9}".repeat(1_000_000)), Accepted),
        ("a key of a million letters", format!("{} = 1\n{good}", "k".repeat(1_000_000)), Refused),
        ("lists in lists", format!("a = {}", "[".repeat(1_000_000)), Refused),
        ("tables in tables", format!("a = {}", "{ a = ".repeat(200_000)), Refused),
        ("keys in keys", format!("[{}a]", "a.".repeat(500_000)), Refused),
        ("as many lists as fit", format!("a = [{}]", "[],".repeat(LONGEST / 3 - 10)), Refused),
        ("as many obstacles as fit", "[[obstacle]]\n".repeat(LONGEST / 13), Refused),
        ("as many tables as fit", format!("a = [{}]", "{a=1},".repeat(LONGEST / 6 - 10)), Refused),
        ("as many keys as fit", repeated(LONGEST / 16, |i| format!("{i:06}.b.c.d=1\n")), Refused),
        ("as many values without commas as fit", format!("a = {{ b = {} }}", "0.5 ".repeat(LONGEST / 4 - 10)), Refused),
        (
            "as many lines without commas as fit",
            format!("a = {{ b = {} }}\n", "0.5 ".repeat(2000)).repeat(LONGEST / 8020),
            Refused,
        ),
        ("as many quotes as fit", "\"\n".repeat(LONGEST / 2), Refused),
        ("as many beginnings as fit", "a = {[\n".repeat(LONGEST / 7), Refused),
        ("more bytes than fit", "\n".repeat(LONGEST + 1), Refused),
        ("a hundred thousand keys", repeated(100_000, |i| format!("key{i} = 1\n")) + &good, Refused),
        (
            "a hundred thousand hinges",
            good.clone() + "[goal.angles]\n" + &repeated(100_000, |i| format!("h{i} = 1\n")),
            Refused,
        ),
        ("a hundred thousand empty obstacles", good + &"[[obstacle]]\n".repeat(100_000), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Scene, text, verdict)).into()
}

fn motions(files: &Files) -> Vec<Hostile> {
    let good = String::from_utf8(files[std::path::Path::new("figure.json")].clone()).unwrap();
    let line = good.lines().nth_back(2).unwrap();
    let frame = |time: usize, x: f32| {
        let (_, rest) = line.split_once("],\"rotation\"").unwrap();
        format!("{{\"time\":{},\"position\":[{x},1.2,0.0],\"rotation\"{rest}", time as f32 / 30.0)
    };
    let with_frames = |frames: Vec<String>| {
        let (head, _) = good.split_once("\"spans\"").unwrap();
        let last = frames.len().saturating_sub(1);
        let spans = format!("[{{\"first\":0,\"last\":{last},\"mode\":\"flying\"}}]");
        format!("{head}\"spans\": {spans},\n\"frames\": [\n{}\n]\n}}\n", frames.join(",\n"))
    };
    let long = (0..20_000).map(|i| frame(i, i as f32 / 10_000.0)).collect();
    let leaps = (0..200).map(|i| frame(i, if i % 2 == 0 { -1e5 } else { 1e5 })).collect();
    let still = (0..1000).map(|_| frame(0, 1.0)).collect();
    let all = [
        ("a motion of eleven minutes", with_frames(long), Accepted),
        ("a motion of leaps", with_frames(leaps), Accepted),
        ("a motion without time", with_frames(still), Accepted),
        ("a motion of one frame", with_frames(vec![frame(0, 1.0)]), Accepted),
        ("a motion of no frames", with_frames(Vec::new()), Refused),
        (
            "a frame of a million angles",
            good.replacen("\"angles\":[", &format!("\"angles\":[{}", "0,".repeat(1_000_000)), 1),
            Refused,
        ),
        ("a motion in brackets", "[".repeat(1_000_000), Refused),
        ("a motion of nothing", "null".to_owned(), Refused),
        ("spans past all numbers", good.replace("\"last\":11", "\"last\":18446744073709551615"), Refused),
    ];
    all.map(|(name, text, verdict)| (name, Kind::Motion, text, verdict)).into()
}
