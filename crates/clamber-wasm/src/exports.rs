//! The functions that the host calls.
//!
//! Bytes pass through two buffers in the module's memory. The host writes an input at the address that [`input`] returns. A call
//! that returns 1 leaves its result, if it has one, in the output buffer; a call that returns 0 leaves its error message there.
//! The output is at [`output`], has [`output_length`] bytes, and stays until the next call. Growing memory detaches the host's views
//! of it, so the host makes a new view after each call.
//!
//! ```js
//! const { instance: { exports } } = await WebAssembly.instantiate(bytes);
//! const name = new TextEncoder().encode("climb");
//! const address = exports.input(name.length);
//! new Uint8Array(exports.memory.buffer, address, name.length).set(name);
//! exports.read_builtin_scene() && exports.plan(1n) && exports.write_motion();
//! const output = new Uint8Array(exports.memory.buffer, exports.output(), exports.output_length());
//! console.log(new TextDecoder().decode(output));
//! ```

// `no_mangle` is unsafe because two functions of one name would be undefined behavior. The linker refuses duplicates among these, and
// the module links no other language. There is no other unsafe code: the host writes into a buffer that the module owns.
#![expect(unsafe_code, reason = "the host finds functions by their plain names")]

use std::cell::RefCell;

use clamber::model::math::Vec3;

use crate::planned_scene::{PlannedScene, PlannedSceneError};

#[derive(Default)]
struct Instance {
    scene: PlannedScene,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::default();
}

/// Makes room for an input of this many bytes, and returns its address; 0 if there is no memory for it.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INSTANCE.with_borrow_mut(|instance| {
        let mut input = Vec::new();
        if input.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        input.resize(length, 0);
        instance.input = input;
        instance.input.as_mut_ptr()
    })
}

/// The address of the last call's result or error message.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    INSTANCE.with_borrow(|instance| instance.output.as_ptr())
}

/// The length in bytes of the last call's result or error message.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    INSTANCE.with_borrow(|instance| instance.output.len())
}

/// Reads the built-in scene that the input names.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn read_builtin_scene() -> bool {
    call(|scene, input| {
        let name = str::from_utf8(input).map_err(|_| PlannedSceneError::NotUtf8)?;
        scene.read_builtin_scene(name)?;
        Ok(String::new())
    })
}

/// Reads the scene file whose text is the input. It may refer to built-in characters, such as `human`, but not to files.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn read_scene() -> bool {
    call(|scene, input| scene.read_scene(input).map(|()| String::new()))
}

/// Finds a posture with which the body at the start exerts the most force in a direction, among this many samples of each limb. It is
/// a motion of one frame.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn pose(x: f32, y: f32, z: f32, samples: u32) -> bool {
    call(|scene, _| scene.pose(Vec3::new(x, y, z), samples as usize).map(|()| String::new()))
}

/// Plans a motion in the scene.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn plan(seed: u64) -> bool {
    call(|scene, _| scene.plan(seed).map(|()| String::new()))
}

/// Replaces the planned motion by its clip.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn refine() -> bool {
    call(|scene, _| scene.refine().map(|()| String::new()))
}

/// Outputs the motion, or its clip, as a motion file.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn write_motion() -> bool {
    call(|scene, _| scene.motion_json())
}

/// Replaces the output by the result of the function or its error message; returns whether it succeeded.
fn call(function: impl FnOnce(&mut PlannedScene, &[u8]) -> Result<String, PlannedSceneError>) -> bool {
    INSTANCE.with_borrow_mut(|instance| {
        let result = function(&mut instance.scene, &instance.input);
        let is_ok = result.is_ok();
        instance.output = result.unwrap_or_else(|error| error.to_string()).into_bytes();
        is_ok
    })
}
