//! Close-ups show the place, the failure and the body, for any input.

mod common;

use clamber_draw::{DrawSettings, FailureAnnotation, Picture, Shape, draw_failure};
use clamber_model::id::{HoldId, ObstacleId};
use clamber_model::math::Vec3;
use clamber_model::world::HoldShape;
use clamber_model::{Motion, Problem};
use common::{CORRIDOR, ROOM, course, is_body, problem, straight, with};
use tiny_skia::Pixmap;

const FAILURE_COLOR: [u8; 3] = [0xc2, 0x10, 0x3f];
const REACHED_COLOR: [u8; 3] = [0x17, 0x47, 0xa6];

/// The course while the figure walks, and two holds on the ground ahead, 1.25 m apart.
fn stopped() -> (Problem, Motion, [HoldId; 2]) {
    let (problem, motion) = course();
    let at = |x: f32| {
        let near = Vec3::new(x, 0.5, 0.0);
        let distance = |hold: HoldId| (problem.world.holds[hold].nearest_point(near) - near).length();
        problem.world.holds.keys().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap()
    };
    let holds = [at(5.0), at(6.25)];
    (problem, motion.prefix_to_frame(100), holds)
}

fn place_of(problem: &Problem, hold: HoldId) -> Vec3 {
    problem.world.holds[hold].nearest_point(Vec3::ZERO)
}

fn group<'a>(picture: &'a Picture, wanted: &str) -> Vec<&'a [Shape]> {
    let of = |shape: &'a Shape| match shape {
        Shape::Group { name, shapes } if *name == wanted => Some(shapes.as_slice()),
        _ => None,
    };
    picture.shapes.iter().filter_map(of).collect()
}

fn words(picture: &Picture) -> Vec<(&str, [f32; 2])> {
    let text = |shape: &'_ Shape| matches!(shape, Shape::Text { .. });
    let failure = group(picture, "trouble")[0].iter().filter(|shape| text(shape));
    failure
        .map(|shape| {
            if let Shape::Text { text: words, center: at, .. } = shape { (words.as_str(), *at) } else { ("", [0.0; 2]) }
        })
        .collect()
}

fn count(picture: &Picture, [red, green, blue]: [u8; 3]) -> usize {
    let pixmap = Pixmap::decode_png(&picture.to_png()).expect("is a PNG");
    let is =
        |pixel: &&tiny_skia::PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue()] == [red, green, blue];
    pixmap.pixels().iter().filter(is).count()
}

#[test]
fn a_distance_is_labeled_with_its_length_the_reach_and_both_holds() {
    let (problem, motion, [from, to]) = stopped();
    let failure = FailureAnnotation::TooFar { from_hold: from, to_hold: to, distance: 1.25, reach: 0.8 };
    let picture =
        draw_failure(&problem, &motion, place_of(&problem, to), Some(&failure), &DrawSettings::default()).unwrap();
    let texts = words(&picture);
    for expected in ["1.25 m", "reach 0.80 m", &problem.world.holds[from].name, &problem.world.holds[to].name] {
        assert!(texts.iter().any(|(words, _)| *words == expected), "{expected} is not in {texts:?}");
    }
    // The reached share of the dimension line has the right length.
    let long = |color: [u8; 3]| {
        let [red, green, blue] = color;
        let of = |shape: &Shape| match shape {
            Shape::Polyline { points, width: 4.0, color }
                if [color.red, color.green, color.blue] == [red, green, blue] =>
            {
                Some((points[1][0] - points[0][0]).abs())
            }
            _ => None,
        };
        group(&picture, "trouble")[0].iter().find_map(of).expect("is drawn")
    };
    let share = long(REACHED_COLOR) / (long(REACHED_COLOR) + long(FAILURE_COLOR));
    assert!((share - 0.8 / 1.25).abs() < 0.01, "{share}");
    assert!(count(&picture, FAILURE_COLOR) > 500 && count(&picture, REACHED_COLOR) > 500);
}

#[test]
fn text_stays_inside_the_picture_and_does_not_overlap() {
    let (problem, motion, [from, to]) = stopped();
    let near = HoldId::new(to.index() - 3);
    for (from, to) in [(from, to), (to, from), (near, to), (from, from)] {
        for failure in [
            FailureAnnotation::TooFar { from_hold: from, to_hold: to, distance: 1.0, reach: 0.7 },
            FailureAnnotation::NoPosture { from_hold: from, to_hold: to },
            FailureAnnotation::TooSlippery { hold: to, friction: 0.3, sufficient: 0.52 },
        ] {
            let place = place_of(&problem, to);
            let picture = draw_failure(&problem, &motion, place, Some(&failure), &DrawSettings::default()).unwrap();
            let texts = words(&picture);
            for (index, (words, [x, y])) in texts.iter().enumerate() {
                // Letters are about 13 pixels wide.
                let half = 6.5 * words.len() as f32;
                assert!(*x >= half && x + half <= picture.width as f32, "{failure:?}: {words} at {x}");
                assert!(*y >= 8.0 && y + 8.0 <= picture.height as f32, "{failure:?}: {words} at {y}");
                for (other, [other_x, other_y]) in &texts[..index] {
                    let apart = (x - other_x).abs() >= half + 6.5 * other.len() as f32 || (y - other_y).abs() >= 16.0;
                    assert!(apart, "{failure:?}: {words} and {other}");
                }
            }
        }
    }
}

#[test]
fn a_blocking_obstacle_is_colored_and_named() {
    let (problem, motion, [_, to]) = stopped();
    let beam = problem.world.obstacles.position(|obstacle| obstacle.name == "beam").unwrap();
    // At the lower edge of the beam, so that a part of it is visible.
    let place = Vec3::new(10.0, 5.0, 0.0);
    let failure = FailureAnnotation::Blocked { obstacle: beam, missing_clearance: 0.214, to_hold: Some(to) };
    let picture = draw_failure(&problem, &motion, place, Some(&failure), &DrawSettings::default()).unwrap();
    assert_eq!(group(&picture, "in-the-way").len(), 1);
    let texts = words(&picture);
    assert!(texts.iter().any(|(words, _)| *words == "beam: 0.21 m"), "{texts:?}");
    assert!(texts.iter().any(|(words, _)| *words == problem.world.holds[to].name), "{texts:?}");
    assert!(count(&picture, FAILURE_COLOR) > 500);
}

#[test]
fn a_hold_that_does_not_carry_the_body_is_ringed_with_what_would_do() {
    let (problem, motion, [_, hold]) = stopped();
    for (failure, expected) in [
        (FailureAnnotation::TooSlippery { hold, friction: 0.3, sufficient: 0.52 }, "friction 0.30, 0.52 would do"),
        (FailureAnnotation::TooWeak { hold, force: 400.0, sufficient: 560.0 }, "400 N, 560 N would do"),
        (FailureAnnotation::OutOfBalance { hold, distance: 0.18 }, "0.18 m out of balance"),
    ] {
        let place = place_of(&problem, hold);
        let picture = draw_failure(&problem, &motion, place, Some(&failure), &DrawSettings::default()).unwrap();
        let texts: Vec<&str> = words(&picture).into_iter().map(|(words, _)| words).collect();
        assert_eq!(texts, [format!("{}: {expected}", problem.world.holds[hold].name)]);
        assert!(count(&picture, FAILURE_COLOR) > 300);
    }
}

#[test]
fn the_body_is_large_and_earlier_poses_are_faint() {
    let (problem, motion, [from, to]) = stopped();
    let failure = FailureAnnotation::NoPosture { from_hold: from, to_hold: to };
    let picture =
        draw_failure(&problem, &motion, place_of(&problem, to), Some(&failure), &DrawSettings::default()).unwrap();
    assert_eq!(picture.width, 1200);
    let poses = group(&picture, "pose");
    assert_eq!(poses.len(), 4);
    let points = |pose: &[Shape]| -> Vec<[f32; 2]> {
        let of = |shape: &Shape| if let Shape::Polyline { points, .. } = shape { points.clone() } else { Vec::new() };
        pose.iter().flat_map(of).collect()
    };
    let heights: Vec<f32> = points(poses[3]).iter().map(|point| point[1]).collect();
    let height = heights.iter().copied().fold(0.0, f32::max) - heights.iter().copied().fold(f32::MAX, f32::min);
    assert!(height > 0.4 * picture.height as f32, "{height} of {}", picture.height);
    assert!(points(poses[3]).iter().all(|[x, y]| (0.0..1200.0).contains(x) && (0.0..1200.0).contains(y)));
    let darkest = |pose: &[Shape]| {
        let of = |shape: &Shape| if let Shape::Polyline { color, .. } = shape { Some(color.red) } else { None };
        pose.iter().filter_map(of).min().unwrap()
    };
    assert!(darkest(poses[0]) > darkest(poses[3]) + 80);
}

#[test]
fn both_holds_are_visible_at_any_distance() {
    let (problem, motion, [from, _]) = stopped();
    let hold_at = |x: f32| {
        let is_there =
            |shape: &HoldShape| matches!(shape, HoldShape::Point(at) if at.y == 0.5 && (at.x - x).abs() < 0.2);
        problem.world.holds.position(|hold| is_there(&hold.shape)).expect("is there")
    };
    let to = hold_at(20.0);
    let failure = FailureAnnotation::NoPosture { from_hold: from, to_hold: to };
    let picture =
        draw_failure(&problem, &motion, place_of(&problem, to), Some(&failure), &DrawSettings::default()).unwrap();
    let rings: Vec<&Shape> = group(&picture, "trouble")[0]
        .iter()
        .filter(|shape| matches!(shape, Shape::Polyline { points, .. } if points.len() == 37))
        .collect();
    assert_eq!(rings.len(), 4, "a rim and a line each");
    for ring in rings {
        let Shape::Polyline { points, .. } = ring else { unreachable!("they are lines") };
        assert!(points.iter().all(|[x, y]| (0.0..1200.0).contains(x) && (0.0..900.0).contains(y)), "{points:?}");
    }
}

#[test]
fn a_place_without_a_failure_is_ringed() {
    for scene in [ROOM, CORRIDOR] {
        let problem = problem(scene);
        let motion = straight(&problem, 1.0);
        let place = problem.goal.configuration.root.translation;
        let picture = draw_failure(&problem, &motion, place, None, &DrawSettings::default()).unwrap();
        let pixmap = Pixmap::decode_png(&picture.to_png()).expect("is a PNG");
        let colors = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
        assert!(colors.filter(|color| is_body(*color)).count() > 10_000);
        assert!((200..2000).contains(&count(&picture, FAILURE_COLOR)));
    }
}

#[test]
fn invalid_input_does_not_panic_and_drawing_is_deterministic() {
    let nothing = Motion { frames: Vec::new(), ..straight(&problem(ROOM), 1.0) };
    for scene in [ROOM, CORRIDOR] {
        let problem = problem(scene);
        let whole = straight(&problem, 1.0);
        let failures = [
            None,
            Some(FailureAnnotation::TooFar {
                from_hold: HoldId::new(7),
                to_hold: HoldId::new(900),
                distance: f32::NAN,
                reach: 0.0,
            }),
            Some(FailureAnnotation::Blocked { obstacle: ObstacleId::new(1), missing_clearance: 0.1, to_hold: None }),
            Some(FailureAnnotation::Blocked {
                obstacle: ObstacleId::new(99),
                missing_clearance: f32::INFINITY,
                to_hold: Some(HoldId::new(99)),
            }),
            Some(FailureAnnotation::NoPosture { from_hold: HoldId::new(0), to_hold: HoldId::new(0) }),
            Some(FailureAnnotation::TooWeak { hold: HoldId::new(99), force: f32::NAN, sufficient: 0.0 }),
            Some(FailureAnnotation::OutOfBalance { hold: HoldId::new(0), distance: f32::INFINITY }),
        ];
        for failure in &failures {
            for place in [Vec3::new(3.0, 1.0, 0.0), Vec3::NAN, Vec3::splat(1e9)] {
                for motion in [&whole, &nothing] {
                    let small = with(DrawSettings::default(), |s| s.width = Some(200));
                    let draw = || draw_failure(&problem, motion, place, failure.as_ref(), &small).unwrap();
                    assert_eq!(draw().to_svg(), draw().to_svg());
                    assert!(draw().to_png().starts_with(b"\x89PNG"));
                }
            }
        }
    }
}
