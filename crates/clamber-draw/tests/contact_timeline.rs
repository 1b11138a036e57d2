//! Contact timelines show poses, modes and contacts on one time axis, make small files and never panic.

mod common;

use clamber_draw::{DrawSettings, Picture, Shape, contact_timeline};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::motion::ContactSpan;
use clamber_model::{Motion, Problem};
use common::{CORRIDOR, ROOM, course, is_body, motion, problem, straight, with};
use tiny_skia::Pixmap;

/// Returns all shapes outside groups and inside them.
fn flat(shapes: &[Shape]) -> Vec<&Shape> {
    let mut all = Vec::new();
    for shape in shapes {
        match shape {
            Shape::Group { shapes, .. } => all.extend(flat(shapes)),
            shape => all.push(shape),
        }
    }
    all
}

/// Returns the texts of the sheet and their positions, without those in its panels.
fn words(picture: &Picture) -> Vec<(&str, [f32; 2])> {
    let mut words = Vec::new();
    for shape in flat(&picture.shapes) {
        if let Shape::Text { text: line, center: at, .. } = shape {
            words.push((line.as_str(), *at));
        }
    }
    words
}

/// Returns left, top, width and height of every panel.
fn panels(picture: &Picture) -> Vec<[f32; 4]> {
    let panel = |shape: &Shape| match shape {
        Shape::Inset { at, picture } => Some([at[0], at[1], picture.width, picture.height].map(|pixels| pixels as f32)),
        _ => None,
    };
    picture.shapes.iter().filter_map(panel).collect()
}

/// Returns left, right and top of every bar: the outlined polygons.
fn bars(picture: &Picture) -> Vec<[f32; 3]> {
    let lanes = picture.shapes.iter().filter(|shape| matches!(shape, Shape::Group { name: "lanes", .. }));
    let bar = |shape: &Shape| match shape {
        Shape::Polygon { loops, outline: Some(_), .. } => Some([loops[0][0][0], loops[0][1][0], loops[0][0][1]]),
        _ => None,
    };
    lanes.flat_map(|lanes| flat(std::slice::from_ref(lanes))).filter_map(bar).collect()
}

fn draw(problem: &Problem, motion: &Motion, width: u32) -> Picture {
    contact_timeline(problem, motion, &with(DrawSettings::default(), |s| s.width = Some(width))).unwrap()
}

#[test]
fn every_contact_is_a_bar_in_the_lane_of_its_effector() {
    // 24 s in one row; the figure climbs with its hands in the last two.
    let (problem, motion) = course();
    let picture = draw(&problem, &motion, 1990);
    let words = words(&picture);
    let lane = |name: &str| words.iter().find(|(word, _)| *word == name).map(|(_, at)| at[1]);
    // Knees make no contact and have no lane.
    assert!(lane("left_foot").is_some() && lane("right_hand").is_some() && lane("left_knee").is_none());
    let axis_at = |second: &str| words.iter().find(|(word, _)| *word == second).expect("has a tick").1[0];
    let (zero, ten) = (axis_at("0"), axis_at("10"));
    let x = |seconds: f32| zero + (ten - zero) * 0.1 * seconds;
    let bars = bars(&picture);
    assert_eq!(bars.len(), motion.contacts.len() + motion.mode_spans.len());
    for ContactSpan { first_frame: first, last_frame: last, contact } in &motion.contacts {
        let middle = lane(&problem.character.effectors[contact.effector].name).expect("has a lane");
        let [since, until] = [first, last].map(|frame| x(motion.frames[*frame].time));
        let is_there = |bar: &&[f32; 3]| {
            (bar[0] - since).abs() < 0.1 && (bar[1] - until).abs() < 0.1 && (middle - bar[2]).abs() < 10.0
        };
        assert!(bars.iter().any(|bar| is_there(&bar)), "frames {first} to {last}: {since} to {until}");
        // A bar of 1.5 s has room for a name.
        let name = &problem.world.holds[contact.hold].name;
        let is_named = words.iter().any(|(word, at)| word == name && (at[1] - middle).abs() < 1.0);
        assert!(is_named || last - first < 40, "{name}");
    }
    let modes: Vec<&str> = words.iter().filter(|(_, at)| Some(at[1]) == lane("mode")).map(|(word, _)| *word).collect();
    assert_eq!(modes, ["mode", "walking", "turning", "climbing"]);
}

#[test]
fn panels_are_above_their_times() {
    let (problem, motion) = course();
    for (width, at_contacts) in [(800, false), (1600, false), (1600, true)] {
        let settings = with(DrawSettings::default(), |s| {
            s.width = Some(width);
            s.poses_at_contacts = at_contacts;
        });
        let picture = contact_timeline(&problem, &motion, &settings).unwrap();
        let panels = panels(&picture);
        assert!(panels.len() >= 10, "{}", panels.len());
        // Panels lie inside the sheet and do not overlap.
        for [left, top, across, high] in &panels {
            assert!(left + across <= width as f32 && top + high <= picture.height as f32);
        }
        for pair in panels.windows(2) {
            assert!(pair[1][1] > pair[0][1] || pair[1][0] >= pair[0][0] + pair[0][2], "{pair:?}");
        }
        // A line starts at the bottom of each panel; with evenly spaced poses it goes straight down.
        let feet: Vec<[[f32; 2]; 2]> = picture
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Polyline { points, .. } => Some([points[0], points[1]]),
                _ => None,
            })
            .collect();
        assert_eq!(feet.len(), panels.len());
        for ([from, to], [left, top, across, high]) in feet.iter().zip(&panels) {
            assert!((from[1] - top - high).abs() < 1.5 && to[1] > from[1]);
            assert!(*left - 1.0 <= from[0] && from[0] <= left + across + 1.0);
            assert!(at_contacts || (from[0] - to[0]).abs() < 6.0, "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_long_motion_is_split_into_rows_and_makes_a_small_file() {
    let (problem, short) = course();
    // Five repetitions: 120 s.
    let mut long = short.clone();
    for _ in 1..5 {
        long.append(&short);
    }
    let picture = draw(&problem, &long, 1600);
    let rows = picture.shapes.iter().filter(|shape| matches!(shape, Shape::Group { name: "lanes", .. })).count();
    assert!((5..=8).contains(&rows), "{rows}");
    let svg = picture.to_svg();
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    assert_eq!(svg.matches(r#"<g class="pose">"#).count(), panels(&picture).len());
    // Every even second is on one of the axes.
    for second in (0..120).step_by(2) {
        assert!(words(&picture).iter().any(|(word, _)| *word == second.to_string()), "{second}");
    }
    // A time range has as many bars as the motion that it repeats.
    let range = with(DrawSettings::default(), |s| {
        s.start_time = Some(24.0);
        s.end_time = Some(48.0);
    });
    assert_eq!(
        bars(&contact_timeline(&problem, &long, &range).unwrap()).len(),
        bars(&draw(&problem, &short, 1600)).len()
    );
}

#[test]
fn a_panel_shows_the_body_and_the_world_around_it() {
    let problem = problem(ROOM);
    let picture = draw(&problem, &straight(&problem, 4.0), 1000);
    let pixmap = Pixmap::decode_png(&picture.to_png()).expect("is a PNG");
    for [left, top, across, high] in panels(&picture) {
        let is_of = |is_wanted: &dyn Fn([u8; 3]) -> bool| {
            let inside = (0..high as u32).flat_map(|y| (0..across as u32).map(move |x| [x, y]));
            let pixels = inside.filter_map(|[x, y]| pixmap.pixel(left as u32 + x, top as u32 + y));
            let count = pixels.filter(|pixel| is_wanted([pixel.red(), pixel.green(), pixel.blue()])).count();
            count as f32 / (across * high)
        };
        assert!((0.05..0.4).contains(&is_of(&is_body)), "{}", is_of(&is_body));
        // The floor has the color of rock.
        assert!(is_of(&|color| color == [0xc2, 0xa9, 0x8c]) > 0.02);
    }
}

#[test]
fn the_requested_number_of_poses_is_drawn() {
    let (problem, motion) = course();
    for poses in [1, 2, 7, 24] {
        let settings = with(DrawSettings::default(), |s| s.pose_count = Some(poses));
        assert_eq!(panels(&contact_timeline(&problem, &motion, &settings).unwrap()).len(), poses);
    }
}

#[test]
fn invalid_motions_do_not_panic() {
    let (course, walked) = course();
    let mut lost = walked.clone();
    lost.contacts[0].contact.hold = HoldId::new(usize::MAX);
    lost.contacts[1].contact.effector = EffectorId::new(usize::MAX);
    lost.contacts[2].last_frame = usize::MAX;
    lost.frames[300].time = f32::NAN;
    let mut endless = walked.clone();
    endless.frames[720].time = 9e5;
    let (room, corridor) = (problem(ROOM), problem(CORRIDOR));
    let invalid = [
        (&room, motion(&room, Vec::new())),
        (&room, motion(&room, vec![room.start.configuration.clone()])),
        (&room, motion(&room, vec![room.start.configuration.clone(); 4])),
        (&corridor, straight(&corridor, 1.0)),
        (&course, lost),
        (&course, endless),
    ];
    for (problem, motion) in &invalid {
        for (width, poses) in [(0, None), (700, Some(0)), (700, None)] {
            let settings = with(DrawSettings::default(), |s| {
                s.width = Some(width);
                s.pose_count = poses;
                s.poses_at_contacts = true;
            });
            let picture = contact_timeline(problem, motion, &settings).unwrap();
            assert!(picture.to_png().starts_with(b"\x89PNG") && picture.to_svg().ends_with("</svg>\n"));
        }
    }
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    let (problem, motion) = course();
    assert_eq!(draw(&problem, &motion, 600).to_svg(), draw(&problem, &motion, 600).to_svg());
}
