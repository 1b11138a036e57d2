//! Animations play the motion at its own speed.

mod common;

use std::ops::ControlFlow;

use clamber_draw::{DrawSettings, render_gif};
use clamber_model::{Motion, Problem};
use common::{CORRIDOR, ROOM, course, is_body, motion, problem, straight, with};

/// One frame of a decoded animation.
struct DecodedFrame {
    /// In hundredths of a second.
    delay: u16,
    width: usize,
    /// Red, green and blue.
    pixels: Vec<[u8; 3]>,
}

impl DecodedFrame {
    /// Returns the mean column of the body.
    fn body_at(&self) -> f32 {
        let columns: Vec<f32> =
            (0..self.pixels.len()).filter(|&at| is_body(self.pixels[at])).map(|at| (at % self.width) as f32).collect();
        columns.iter().sum::<f32>() / columns.len() as f32
    }
}

fn play(bytes: &[u8]) -> Vec<DecodedFrame> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("is a GIF");
    let width = usize::from(decoder.width());
    let mut pixels = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("has whole frames") {
        for (index, rgba) in frame.buffer.chunks(4).enumerate().filter(|(_, rgba)| rgba[3] > 0) {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            pixels[(y + usize::from(frame.top)) * width + x + usize::from(frame.left)] = [rgba[0], rgba[1], rgba[2]];
        }
        shown.push(DecodedFrame { delay: frame.delay, width, pixels: pixels.clone() });
    }
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    shown
}

fn draw(problem: &Problem, motion: &Motion, settings: &DrawSettings) -> Vec<u8> {
    render_gif(problem, motion, settings, &mut |_| ControlFlow::Continue(())).unwrap().expect("was not stopped")
}

#[test]
fn an_animation_lasts_as_long_as_the_motion_and_shows_its_path() {
    for scene in [ROOM, CORRIDOR] {
        let problem = problem(scene);
        let settings = with(DrawSettings::default(), |s| {
            s.width = Some(200);
            s.frames_per_second = 12.0
        });
        let shown = play(&draw(&problem, &straight(&problem, 2.0), &settings));
        assert_eq!(shown.len(), 26);
        let (last, before) = shown.split_last().unwrap();
        // 12 frames per second would be 8.33 hundredths each: an even frame rate matters more than an exact one.
        assert!(before.iter().all(|picture| picture.delay == 8));
        assert!(last.delay >= 50, "the end stays for a while");
        // The body moves in every frame, although only changes are stored.
        let places: Vec<f32> = shown.iter().map(DecodedFrame::body_at).collect();
        assert!(places.windows(2).all(|pair| pair[1] > pair[0]), "{places:?}");
        assert!(places[25] - places[0] > 80.0, "{places:?}");
    }
}

#[test]
fn ten_seconds_make_a_small_file() {
    let problem = problem(CORRIDOR);
    let small = with(DrawSettings::default(), |s| {
        s.width = Some(480);
        s.frames_per_second = 15.0
    });
    for (settings, most) in [(small, 400_000), (DrawSettings::default(), 800_000)] {
        let bytes = draw(&problem, &straight(&problem, 10.0), &settings);
        assert_eq!(&bytes[..6], b"GIF89a");
        assert!(bytes.len() < most, "{}", bytes.len());
    }
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    let draw = || {
        let problem = problem(CORRIDOR);
        draw(&problem, &straight(&problem, 0.5), &DrawSettings::default())
    };
    assert!(draw() == draw());
}

#[test]
fn progress_is_reported_and_drawing_can_be_stopped() {
    let problem = problem(ROOM);
    let motion = straight(&problem, 1.0);
    let mut shares = Vec::new();
    let stopped = render_gif(&problem, &motion, &DrawSettings::default(), &mut |share| {
        shares.push(share);
        if shares.len() < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .unwrap();
    assert!(stopped.is_none() && shares.len() == 4, "{shares:?}");
    assert!(shares[0] == 0.0 && shares.windows(2).all(|pair| pair[1] > pair[0]) && shares[3] < 1.0, "{shares:?}");
}

#[test]
fn invalid_motions_do_not_panic() {
    let problem = problem(ROOM);
    let mut endless = motion(&problem, vec![problem.start.configuration.clone(), problem.goal.configuration.clone()]);
    endless.frames[1].time = 9e5;
    let invalid = [
        (motion(&problem, Vec::new()), 1),
        (motion(&problem, vec![problem.start.configuration.clone()]), 1),
        (motion(&problem, vec![problem.start.configuration.clone(); 4]), 4),
        (endless, 3001),
    ];
    for (motion, pictures) in invalid {
        let settings = with(DrawSettings::default(), |s| {
            s.width = Some(0);
            s.frames_per_second = f32::NAN
        });
        assert_eq!(play(&draw(&problem, &motion, &settings)).len(), pictures);
    }
}

#[test]
fn modes_contacts_and_holds_have_their_colors() {
    let (problem, motion) = course();
    let settings = with(DrawSettings::default(), |s| {
        s.width = Some(800);
        s.frames_per_second = 2.0;
        s.follow = false
    });
    let shown = play(&draw(&problem, &motion, &settings));
    let count = |picture: &DecodedFrame, is_of: fn([i32; 3]) -> bool| {
        // Without the legend, which contains all colors.
        let rows = picture.pixels.len() / picture.width - 22;
        picture.pixels[..rows * picture.width].iter().filter(|color| is_of(color.map(i32::from))).count()
    };
    let orange = |[red, green, blue]: [i32; 3]| red > 150 && red > green + 50 && green > blue + 40;
    let yellow = |[red, green, blue]: [i32; 3]| red > 190 && green > 140 && blue < 110;
    let violet = |[red, green, blue]: [i32; 3]| blue > red + 20 && red > green + 20;
    let (first, last) = (&shown[0], &shown[shown.len() - 1]);
    // Some hold marks are orange too.
    assert!(count(last, orange) > count(first, orange) + 40, "climbing is orange");
    assert!(count(first, yellow) > 0, "the contact is yellow");
    assert!(count(first, violet) > 50, "the beam's holds are violet");
    let plain = play(&draw(&problem, &motion, &with(settings, |s| s.show_holds = false)));
    assert_eq!(count(&plain[0], violet), 0);
}

/// Returns the columns of all pixels in the colors of a walking figure, above the legend.
fn walker(picture: &DecodedFrame) -> Vec<f32> {
    let green = |[red, green, blue]: [u8; 3]| green > red.saturating_add(40) && green > blue.saturating_add(40);
    let rows = picture.pixels.len() / picture.width - 40;
    let inside = (0..rows * picture.width).filter(|&at| green(picture.pixels[at]));
    inside.map(|at| (at % picture.width) as f32).collect()
}

#[test]
fn the_camera_follows_a_long_path() {
    let (problem, motion) = course();
    let settings = with(DrawSettings::default(), |s| {
        s.width = Some(300);
        s.frames_per_second = 5.0;
        s.show_holds = false;
        s.start_time = Some(4.0);
        s.end_time = Some(16.0)
    });
    let near = play(&draw(&problem, &motion, &settings));
    assert_eq!(near.len(), 61, "12 s at 5 a second");
    for picture in &near {
        let columns = walker(picture);
        let middle = columns.iter().sum::<f32>() / columns.len() as f32;
        assert!((middle - 150.0).abs() < 30.0, "the figure is in the middle: {middle}");
        assert!(columns.len() > 400, "and large: {}", columns.len());
    }
    let far = play(&draw(&problem, &motion, &with(settings, |s| s.follow = false)));
    assert!(walker(&far[0]).len() < 100, "all 30 m at once leave little of it");
    // From 5.8 m to 20.2 m, at nearly 10 pixels per meter.
    let is_right = |picture: &DecodedFrame| walker(picture).iter().any(|column| *column > 180.0);
    assert!(!is_right(&far[0]) && is_right(&far[60]), "and it crosses the picture");
}

#[test]
fn a_time_range_has_its_own_duration() {
    let problem = problem(ROOM);
    let motion = straight(&problem, 4.0);
    let range = |from, to| {
        let settings = with(DrawSettings::default(), |s| {
            s.width = Some(200);
            s.start_time = from;
            s.end_time = to
        });
        play(&draw(&problem, &motion, &settings))
    };
    let (all, middle) = (range(None, None), range(Some(1.0), Some(3.0)));
    assert_eq!((all.len(), middle.len()), (101, 51));
    for (from, to) in [(0, 25), (50, 75)] {
        assert!((middle[from].body_at() - all[to].body_at()).abs() < 1.5);
    }
    // A range beyond the end shows the end; NaN does not panic.
    assert_eq!(range(Some(9.0), None).len(), 1);
    assert_eq!(range(Some(f32::NAN), Some(f32::NAN)).len(), 101);
    assert_eq!(range(Some(3.0), Some(1.0)).len(), 1);
}
