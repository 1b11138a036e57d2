//! Pose overlays show the right things at the right positions and never panic.

mod common;

use clamber_draw::{DrawSettings, Picture, Shape, View, pose_overlay};
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::Vec3;
use clamber_model::motion::ContactSpan;
use clamber_model::world::{HoldShape, HoldType};
use clamber_model::{Configuration, Motion, Problem};
use common::{CORRIDOR, ROOM, course, is_body, motion, problem, straight, with};
use tiny_skia::Pixmap;

fn settings(width: u32) -> DrawSettings {
    with(DrawSettings::default(), |s| s.width = Some(width))
}

/// Returns the color at a point of the planar room, in meters, on a picture 600 pixels wide.
fn room_color(pixmap: &Pixmap, x: f32, y: f32) -> [u8; 3] {
    // 6 m within margins of 6 pixels.
    let scale = 588.0 / 6.0;
    assert_eq!((pixmap.width(), pixmap.height()), (600, 306));
    let pixel = pixmap.pixel((6.0 + scale * x) as u32, (6.0 + scale * (3.0 - y)) as u32).expect("is on the picture");
    [pixel.red(), pixel.green(), pixel.blue()]
}

fn render(picture: &Picture) -> Pixmap {
    Pixmap::decode_png(&picture.to_png()).expect("is a PNG")
}

/// Whether a color is one of the rock colors: brown, and darker than the background.
fn is_rock([red, green, blue]: [u8; 3]) -> bool {
    i32::from(red) > i32::from(blue) + 20 && red >= green && green < 235
}

/// Asserts that every tag is closed in order and that text is escaped.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(begin) = rest.find('<') {
        let text = &rest[..begin];
        assert!(!text.contains('>'), "{text}");
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "{entity}");
        }
        let end = begin + rest[begin..].find('>').expect("the tag ends");
        let tag = &rest[begin + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}

fn count_poses(picture: &Picture) -> usize {
    picture
        .shapes
        .iter()
        .map(|shape| match shape {
            Shape::Group { name: "pose", .. } => 1,
            Shape::Inset { picture, .. } => count_poses(picture),
            _ => 0,
        })
        .sum()
}

#[test]
fn svg_is_well_formed_and_has_the_requested_number_of_poses() {
    for scene in [ROOM, CORRIDOR] {
        let problem = problem(scene);
        let motion = straight(&problem, 1.0);
        for poses in [1, 2, 5, 9] {
            let asked = with(settings(300), |s| {
                s.pose_count = Some(poses);
                s.show_obstacle_names = true;
            });
            let svg = pose_overlay(&problem, &motion, &asked).unwrap().to_svg();
            assert_well_formed(&svg);
            assert_eq!(svg.matches(r#"<g class="pose">"#).count(), poses);
            assert!(svg.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" width="300""#));
        }
    }
}

#[test]
fn poses_are_spread_from_start_to_goal() {
    let problem = problem(ROOM);
    let picture = pose_overlay(&problem, &straight(&problem, 2.0), &settings(600)).unwrap();
    let middles: Vec<f32> = picture.shapes.iter().filter_map(pose_middle).collect();
    assert!((2..=6).contains(&middles.len()), "{middles:?}");
    // The figure extends about 0.4 m in front of and behind its center: start and goal are both drawn.
    assert!((middles[0] - (6.0 + 98.0 * 1.0)).abs() < 30.0, "{middles:?}");
    assert!((middles[middles.len() - 1] - (6.0 + 98.0 * 5.0)).abs() < 30.0, "{middles:?}");
    let steps: Vec<f32> = middles.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - steps[0]).abs() < 2.0), "{steps:?}");
}

fn pose_middle(shape: &Shape) -> Option<f32> {
    let Shape::Group { name: "pose", shapes } = shape else { return None };
    let points: Vec<f32> = shapes
        .iter()
        .flat_map(|shape| match shape {
            Shape::Polyline { points, .. } => points.iter().map(|point| point[0]).collect(),
            _ => Vec::new(),
        })
        .collect();
    Some(points.iter().sum::<f32>() / points.len() as f32)
}

#[test]
fn obstacles_and_bodies_are_drawn_at_their_positions() {
    let problem = problem(ROOM);
    let pixmap = render(&pose_overlay(&problem, &straight(&problem, 1.0), &settings(600)).unwrap());
    // The trunk and the head in the first and the last pose.
    for (x, y) in [(1.0, 1.8), (1.01, 2.2), (5.0, 1.8)] {
        let color = room_color(&pixmap, x, y);
        assert!(is_body(color), "body at {x} {y}: {color:?}");
    }
    for (x, y) in [(0.2, 0.25), (2.0, 0.45), (5.9, 0.05), (2.0, 2.85)] {
        let color = room_color(&pixmap, x, y);
        assert!(is_rock(color), "rock at {x} {y}: {color:?}");
    }
    for (x, y) in [(0.1, 0.6), (0.1, 2.6), (5.9, 1.0)] {
        let color = room_color(&pixmap, x, y);
        assert!(!is_rock(color) && !is_body(color), "air at {x} {y}: {color:?}");
    }
}

#[test]
fn near_limbs_are_lighter_and_cover_far_ones() {
    for facing in ["right", "left"] {
        let scene = ROOM.replace("1.5]\n", &format!("1.5]\nfacing = \"{facing}\"\n"));
        let problem = problem(&scene);
        let one = with(settings(600), |s| s.pose_count = Some(1));
        let faces_right = facing == "right";
        // Relative to the shoulder: the left arm points forward and slightly up, the right one behind the back.
        let ahead = if faces_right { 1.0 } else { -1.0 };
        let (left, right) = ((ahead * 0.3, 0.053), (ahead * -0.26, -0.15));
        for (view, is_right_near) in [(View::FROM_RIGHT, faces_right), (View::FROM_LEFT, !faces_right)] {
            let mirrored = if view == View::FROM_RIGHT { 1.0 } else { -1.0 };
            let still = motion(&problem, vec![problem.goal.configuration.clone()]);
            let pixmap = render(&pose_overlay(&problem, &still, &with(one.clone(), |s| s.view = Some(view))).unwrap());
            let at = |(x, y): (f32, f32)| {
                let x = 5.0 + x;
                room_color(&pixmap, if mirrored > 0.0 { x } else { 6.0 - x }, 1.5 + 0.46 + y)
            };
            let (left, right) = (at(left), at(right));
            assert!(is_body(left) && is_body(right), "{facing} {view:?}: {left:?} {right:?}");
            let light = |[red, green, blue]: [u8; 3]| i32::from(red) + i32::from(green) + i32::from(blue);
            let difference = light(right) - light(left);
            assert_eq!(difference > 0, is_right_near, "{facing} {view:?}: {left:?} {right:?}");
            assert!(difference.abs() > 120, "{facing} {view:?}: {left:?} {right:?}");
            // Both thighs hang straight down and overlap.
            let thigh = at((0.0, -0.46 - 0.25));
            assert!((light(thigh) - light(left).max(light(right))).abs() < 60, "{facing} {view:?}: {thigh:?}");
        }
    }
}

#[test]
fn labels_name_obstacles() {
    for (scene, name) in [(ROOM, "a &quot;low&quot; roof"), (CORRIDOR, "near wall")] {
        let problem = problem(scene);
        let motion = straight(&problem, 1.0);
        let plain = pose_overlay(&problem, &motion, &settings(300)).unwrap().to_svg();
        let named =
            pose_overlay(&problem, &motion, &with(settings(300), |s| s.show_obstacle_names = true)).unwrap().to_svg();
        assert!(!plain.contains(r#"class="text""#) && named.contains(&format!(r#"aria-label="{name}""#)), "{name}");
        assert_eq!(named.matches(r#"class="text""#).count(), problem.world.obstacles.len());
    }
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    for scene in [ROOM, CORRIDOR] {
        let draw = || {
            let problem = problem(scene);
            let picture = pose_overlay(&problem, &straight(&problem, 1.0), &settings(300)).unwrap();
            (picture.to_svg(), picture.to_png())
        };
        assert!(draw() == draw());
    }
}

#[test]
fn a_motion_that_hardly_travels_is_drawn_in_panels() {
    let problem = problem(ROOM);
    let mut bent = problem.start.configuration.clone();
    bent.angles[problem.character.find_hinge("left_hip").unwrap()] = 1.5;
    let kick = motion(&problem, vec![problem.start.configuration.clone(), bent]);
    let picture = pose_overlay(&problem, &kick, &settings(500)).unwrap();
    assert!(picture.shapes.iter().all(|shape| matches!(shape, Shape::Inset { .. })));
    assert_eq!((count_poses(&picture), picture.width), (5, 500));
    assert_well_formed(&picture.to_svg());
    // Nothing moves: one pose is enough.
    let still = motion(&problem, vec![problem.start.configuration.clone(); 30]);
    assert_eq!(count_poses(&pose_overlay(&problem, &still, &settings(500)).unwrap()), 1);
}

/// Motions that no planner returns but a file may contain.
fn invalid_motions(problem: &Problem) -> Vec<Motion> {
    let moved = |change: &dyn Fn(&mut Configuration)| {
        let mut configuration = problem.start.configuration.clone();
        change(&mut configuration);
        motion(problem, vec![problem.start.configuration.clone(), configuration, problem.goal.configuration.clone()])
    };
    let mut backwards = straight(problem, 0.2);
    backwards.frames.reverse();
    let mut timeless = straight(problem, 0.2);
    timeless.frames.iter_mut().for_each(|frame| frame.time = f32::NAN);
    let mut endless = straight(problem, 0.2);
    endless.frames.last_mut().unwrap().time = 1e30;
    vec![
        motion(problem, Vec::new()),
        motion(problem, vec![problem.start.configuration.clone()]),
        motion(problem, vec![problem.start.configuration.clone(); 9]),
        moved(&|configuration| configuration.angles.clear()),
        moved(&|configuration| configuration.angles.raw[0] = f32::NAN),
        moved(&|configuration| configuration.root.translation = Vec3::splat(f32::INFINITY)),
        moved(&|configuration| configuration.root.translation = Vec3::new(1e5, -1e5, 0.0)),
        backwards,
        timeless,
        endless,
    ]
}

#[test]
fn invalid_motions_and_settings_do_not_panic() {
    let invalid_settings = [
        with(settings(100), |s| s.show_obstacle_names = true),
        with(settings(0), |s| {
            s.pose_count = Some(0);
            s.view = Some(View { azimuth: f32::NAN, elevation: 9.0 });
        }),
        // Panels smaller than what a name is placed by.
        with(settings(100), |s| {
            s.pose_count = Some(1 << 32);
            s.show_obstacle_names = true;
        }),
        with(settings(64), |s| {
            s.pose_count = Some(usize::MAX);
            s.view = Some(View::FROM_TOP);
        }),
    ];
    for scene in [ROOM, CORRIDOR] {
        let problem = problem(scene);
        for (index, motion) in invalid_motions(&problem).iter().enumerate() {
            for settings in &invalid_settings {
                let picture = pose_overlay(&problem, motion, settings).unwrap();
                assert!((64..=100).contains(&picture.width) && picture.height >= 1, "{index}");
                assert!(!picture.to_png().is_empty(), "{index}");
                assert_well_formed(&picture.to_svg());
            }
        }
    }
}

#[test]
fn only_the_surroundings_of_the_motion_are_shown_in_a_huge_world() {
    let scene = ROOM.replace("max = [6, 3]", "max = [9000, 3]").replace("[7, ", "[9500, ");
    let problem = problem(&scene);
    let picture = pose_overlay(&problem, &straight(&problem, 1.0), &settings(100_000)).unwrap();
    assert_eq!(picture.width, 4096);
    assert!(u64::from(picture.width) * u64::from(picture.height) <= 12_100_000);
    // The poses are farther apart than a tenth of the picture.
    let middles: Vec<f32> = picture.shapes.iter().filter_map(pose_middle).collect();
    assert!(middles[middles.len() - 1] - middles[0] > 400.0, "{middles:?}");
}

/// Returns the pixel of a point of the course on a picture 1600 pixels wide.
fn on_course(point: Vec3) -> [f32; 2] {
    // 30 m within margins of 16 pixels.
    let scale = 1568.0 / 30.0;
    [16.0 + scale * point.x, 16.0 + scale * (6.0 - point.y)]
}

fn color_at(pixmap: &Pixmap, [x, y]: [f32; 2]) -> [i32; 3] {
    let pixel = pixmap.pixel(x as u32, y as u32).expect("is on the picture");
    [pixel.red(), pixel.green(), pixel.blue()].map(i32::from)
}

/// Returns the shapes of all groups with this name at any depth.
fn groups<'a>(shapes: &'a [Shape], wanted: &str) -> Vec<&'a [Shape]> {
    let mut found = Vec::new();
    for shape in shapes {
        match shape {
            Shape::Group { name, shapes } if *name == wanted => found.push(shapes.as_slice()),
            Shape::Group { shapes, .. } => found.extend(groups(shapes, wanted)),
            Shape::Inset { picture, .. } => found.extend(groups(&picture.shapes, wanted)),
            _ => {}
        }
    }
    found
}

/// Returns the texts of the legend.
fn legend<'a>(picture: &'a Picture) -> Vec<&'a str> {
    let of_text = |shape: &'a Shape| match shape {
        Shape::Text { text: words, .. } => Some(words.as_str()),
        _ => None,
    };
    groups(&picture.shapes, "legend").into_iter().flatten().filter_map(of_text).collect()
}

#[test]
fn a_long_course_has_the_requested_width_and_a_matching_height() {
    let (problem, motion) = course();
    for (width, height) in [(1600, 346), (4096, 885)] {
        let picture =
            pose_overlay(&problem, &motion, &with(settings(width), |s| s.view = Some(View::FROM_RIGHT))).unwrap();
        // The legend is one line below the scene.
        let line = picture.height - height;
        assert!(picture.width == width && (20..=48).contains(&line), "{} {line}", picture.width);
        let poses = groups(&picture.shapes, "pose").len();
        assert!((20..=61).contains(&poses), "{poses}");
        assert_well_formed(&picture.to_svg());
    }
}

#[test]
fn holds_are_marked_by_their_types() {
    let (problem, motion) = course();
    let picture = pose_overlay(&problem, &motion, &settings(1600)).unwrap();
    let pixmap = render(&picture);
    let mut seen = Vec::new();
    for hold in &problem.world.holds {
        let HoldShape::Point(at) = hold.shape else { panic!("{hold:?}") };
        let is_clear = (5.0..25.0).contains(&at.x) && at.y > 2.5 || (27.0..29.0).contains(&at.x) && at.y < 0.6;
        // The margins show a little more than the bounds.
        if !(-0.3..30.3).contains(&at.x) || !(-0.3..6.3).contains(&at.y) {
            continue;
        }
        seen.push(hold.hold_type);
        if is_clear {
            // In the center of the mark, which is about 5 pixels large and stands on the surface.
            let [x, y] = on_course(at);
            let [red, green, blue] = color_at(&pixmap, [x + 2.0 * hold.normal.x, y - 2.0 * hold.normal.y]);
            let is_marked = match hold.hold_type {
                HoldType::LoadBearing => green > red.max(blue) + 30,
                HoldType::Pendent => blue > red.max(green) + 30,
                HoldType::Hybrid => red > green.max(blue) + 60,
            };
            assert!(is_marked, "{hold:?}: {red} {green} {blue}");
        }
    }
    let marks = groups(&picture.shapes, "holds");
    assert_eq!((marks.len(), marks[0].len()), (1, seen.len()));
    assert!(HoldType::ALL.into_iter().all(|hold_type| seen.contains(&hold_type)));
    assert!(HoldType::ALL.into_iter().all(|hold_type| legend(&picture).contains(&hold_type.keyword())));

    let without = pose_overlay(&problem, &motion, &with(settings(1600), |s| s.show_holds = false)).unwrap();
    assert!(groups(&without.shapes, "holds").is_empty());
    assert_eq!(legend(&without), ["walking", "turning", "climbing", "contact"]);
}

#[test]
fn visible_holds_are_marked_from_any_side() {
    let (problem, motion) = course();
    let picture = pose_overlay(&problem, &motion, &with(settings(800), |s| s.view = Some(View::OBLIQUE))).unwrap();
    let marks = groups(&picture.shapes, "holds")[0].len();
    // The beam hides the holds below it; nothing hides those on top of the ground.
    let words = legend(&picture);
    assert!(marks > 100 && words.contains(&"load-bearing") && !words.contains(&"pendent"), "{marks} {words:?}");
}

#[test]
fn poses_have_the_colors_of_their_modes_and_dots_at_contacts() {
    let (problem, motion) = course();
    let picture = pose_overlay(&problem, &motion, &settings(1600)).unwrap();
    let pixmap = render(&picture);
    assert_eq!(legend(&picture)[..3], ["walking", "turning", "climbing"]);
    let head = |root: Vec3| color_at(&pixmap, on_course(root + Vec3::new(0.0, 0.68, 0.0)));
    let [red, green, blue] = head(Vec3::new(1.0, 1.4, 0.0));
    assert!(green > red.max(blue) + 40, "walking is green: {red} {green} {blue}");
    let [red, green, blue] = head(Vec3::new(25.0, 4.4, 0.0));
    assert!(red > green + 40 && green > blue + 40, "climbing is orange: {red} {green} {blue}");

    // Only the left foot is in contact at the start, and only the right hand at the end. Both dots are drawn over the
    // body.
    let poses = groups(&picture.shapes, "pose");
    for (pose, contact) in [(0, motion.contacts[0]), (poses.len() - 1, motion.contacts[22])] {
        assert_eq!(groups(poses[pose], "contact").len(), 1, "{pose}");
        let [red, green, blue] = color_at(&pixmap, on_course(contact.contact.point));
        assert!(red > 200 && green > 150 && blue < 120, "{pose}: {red} {green} {blue}");
    }
}

#[test]
fn a_motion_that_only_flies_has_no_legend() {
    let (problem, mut motion) = course();
    let words = |motion: &Motion| legend(&pose_overlay(&problem, motion, &settings(1600)).unwrap()).join(" ");
    motion.mode_spans.iter_mut().for_each(|span| span.mode = "flying".to_owned());
    assert_eq!(words(&motion), "");
    motion.mode_spans[2].mode = "vaulting".to_owned();
    assert_eq!(words(&motion), "flying vaulting load-bearing pendent hybrid contact");
}

#[test]
fn a_turning_figure_is_seen_edge_on() {
    let (problem, motion) = course();
    // With bent knees and elbows the figure is wide in its plane.
    let widths: Vec<f32> = [600, 630, 660]
        .map(|frame| {
            let still = Motion { frames: vec![motion.frames[frame].clone()], ..motion.clone() };
            let picture = pose_overlay(&problem, &still, &settings(1600)).unwrap();
            let poses = groups(&picture.shapes, "pose");
            let across = poses[0].iter().flat_map(|shape| match shape {
                Shape::Polyline { points, .. } => points.iter().map(|point| point[0]).collect(),
                _ => Vec::new(),
            });
            let (low, high) = across.fold((f32::INFINITY, 0.0f32), |(low, high), x: f32| (low.min(x), high.max(x)));
            high - low
        })
        .to_vec();
    assert!(widths[1] < 0.7 * widths[0] && (widths[0] - widths[2]).abs() < 2.0, "{widths:?}");
}

#[test]
fn poses_can_be_placed_where_contacts_begin() {
    let (problem, motion) = course();
    let poses = |asked: DrawSettings| {
        let picture = pose_overlay(&problem, &motion, &asked).unwrap();
        picture.shapes.iter().filter_map(pose_middle).collect::<Vec<f32>>()
    };
    let at_contacts = with(settings(1600), |s| s.poses_at_contacts = true);
    // 23 contacts, the first of which begins at the start, and the end of the motion.
    let all = poses(at_contacts.clone());
    assert_eq!(all.len(), 24);
    let steps: Vec<f32> = all[..21].windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - 1.2 * 1568.0 / 30.0).abs() < 0.5), "{steps:?}");
    let few = poses(with(at_contacts.clone(), |s| s.pose_count = Some(5)));
    assert_eq!((few.len(), few[0], few[4]), (5, all[0], all[23]));
    // Without contacts, poses are spread along the path.
    let flying = Motion { contacts: Vec::new(), ..motion.clone() };
    assert!(count_poses(&pose_overlay(&problem, &flying, &at_contacts).unwrap()) > 20);
}

#[test]
fn invalid_contacts_and_spans_do_not_panic() {
    let (problem, motion) = course();
    let contact = motion.contacts[0].contact;
    let nowhere = clamber_model::Contact {
        point: Vec3::NAN,
        effector: EffectorId::new(999),
        hold: HoldId::new(999_999),
        ..contact
    };
    let invalid_contacts = [
        ContactSpan { first_frame: 9, last_frame: 3, contact },
        ContactSpan { first_frame: 0, last_frame: usize::MAX, contact: nowhere },
        ContactSpan { first_frame: 100_000, last_frame: 100_001, contact },
    ];
    let invalid = [
        Motion { contacts: invalid_contacts.to_vec(), ..motion.clone() },
        Motion { mode_spans: Vec::new(), ..motion.clone() },
        Motion { mode_spans: motion.mode_spans.iter().rev().cloned().collect(), ..motion.clone() },
        Motion { frames: motion.frames[..1].to_vec(), ..motion.clone() },
        Motion { frames: Vec::new(), ..motion.clone() },
    ];
    for (index, motion) in invalid.iter().enumerate() {
        for at_contacts in [false, true] {
            let picture =
                pose_overlay(&problem, motion, &with(settings(64), |s| s.poses_at_contacts = at_contacts)).unwrap();
            assert!(!picture.to_png().is_empty(), "{index}");
            assert_well_formed(&picture.to_svg());
        }
    }
}
