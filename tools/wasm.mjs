// Plans and refines scenes with the WebAssembly module and with the native command, and compares the motion files byte for byte.
// `node wasm.mjs MODULE COMMAND [SCENE...]`, by default for all shipped scenes. Prints digests of the files, the seconds that
// planning takes and the module's memory; exits with 1 if any file differs.
//
// Then does the same for a posture: how to get up from the sofa.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const SEED = 1;
const POSE_SCENE = "scenes/poses/sofa.toml";
const POSE_SAMPLES = 10_000;

const [modulePath, command, ...arguments_] = process.argv.slice(2);
const shipped = readdirSync("scenes").filter((file) => file.endsWith(".toml"));
const scenes = arguments_.length > 0 ? arguments_ : shipped.map((file) => basename(file, ".toml")).sort();
const module = await WebAssembly.compile(readFileSync(modulePath));
const folder = mkdtempSync(join(tmpdir(), "clamber-wasm-"));

// A new instance of the module with an input. Calls that fail throw an error.
async function instantiate(scene, input) {
    const { exports } = await WebAssembly.instantiate(module);
    const output = () => Buffer.from(new Uint8Array(exports.memory.buffer, exports.output(), exports.output_length()));
    const call = (name, ...values) => {
        if (!exports[name](...values)) {
            throw new Error(`${scene}: ${name}: ${output()}`);
        }
    };
    const bytes = Buffer.from(input);
    const address = exports.input(bytes.length);
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
    return { exports, output, call };
}

// The motion, its clip, the seconds that planning takes and the bytes of memory in the end.
async function runInWebAssembly(scene) {
    const { exports, output, call } = await instantiate(scene, scene);
    call("read_builtin_scene");
    const begin = performance.now();
    call("plan", BigInt(SEED));
    const seconds = (performance.now() - begin) / 1000;
    call("write_motion");
    const motion = output();
    call("refine");
    call("write_motion");
    return { motion, clip: output(), seconds, memory: exports.memory.buffer.byteLength };
}

// The posture, the seconds that it takes, and those that it takes with one sample, with which no limb finds a contact. Their difference
// bounds the time to sample the limbs.
async function poseInWebAssembly() {
    const text = readFileSync(POSE_SCENE, "utf8").replace("../../characters/human.toml", "human");
    const { exports, output, call } = await instantiate(POSE_SCENE, text);
    call("read_scene");
    const time = (samples) => {
        const begin = performance.now();
        exports.pose(0, 1, 0, samples);
        return (performance.now() - begin) / 1000;
    };
    const [secondsOfOne, seconds] = [time(1), time(POSE_SAMPLES)];
    call("write_motion");
    return { motion: output(), seconds, secondsOfOne, memory: exports.memory.buffer.byteLength };
}

function poseNatively() {
    const file = join(folder, "pose.json");
    const options = ["pose", POSE_SCENE, "--task", "up", "--samples", `${POSE_SAMPLES}`, "-o", file];
    const { status, stderr } = spawnSync(command, options);
    if (status !== 0) {
        throw new Error(`${POSE_SCENE}: ${command} exits with ${status}: ${stderr}`);
    }
    return readFileSync(file);
}

function runNatively(scene) {
    const plan = (...options) => {
        const file = join(folder, "motion.json");
        const common = ["plan", scene, "--seed", `${SEED}`, "--no-picture", "--json", "-o", file];
        const { status, stdout, stderr } = spawnSync(command, [...common, ...options], { maxBuffer: Infinity });
        if (status !== 0) {
            throw new Error(`${scene}: ${command} exits with ${status}: ${stderr}`);
        }
        return { bytes: readFileSync(file), seconds: JSON.parse(stdout).seconds };
    };
    const { bytes: motion, seconds } = plan();
    return { motion, clip: plan("--refine").bytes, seconds };
}

function printFirstDifference(what, native, wasm) {
    const [nativeLines, wasmLines] = [native, wasm].map((bytes) => bytes.toString("latin1").split("\n"));
    let index = 0;
    while (nativeLines[index] === wasmLines[index]) {
        index += 1;
    }
    console.log(`    the ${what}s differ; the first line that does is ${index + 1}:`);
    console.log(`    native: ${nativeLines[index] ?? "(end)"}\n    wasm:   ${wasmLines[index] ?? "(end)"}`);
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

let differs = false;
console.log("scene           motion            clip              native (s)  wasm (s)  ratio  memory (MB)");
try {
    for (const scene of scenes) {
        const native = runNatively(scene);
        const wasm = await runInWebAssembly(scene);
        const numbers = [
            native.seconds.toFixed(3).padStart(10),
            wasm.seconds.toFixed(3).padStart(8),
            (wasm.seconds / native.seconds).toFixed(2).padStart(5),
            (wasm.memory / 1e6).toFixed(0).padStart(11),
        ];
        console.log([scene.padEnd(14), digest(wasm.motion), digest(wasm.clip), ...numbers].join("  "));
        for (const what of ["motion", "clip"]) {
            if (!native[what].equals(wasm[what])) {
                differs = true;
                printFirstDifference(what, native[what], wasm[what]);
            }
        }
    }
    const [native, wasm] = [poseNatively(), await poseInWebAssembly()];
    console.log(`\nposture of ${POSE_SCENE} with ${POSE_SAMPLES} samples of each limb: ${digest(wasm.motion)}`);
    console.log(`${wasm.seconds.toFixed(3)} s, with 1 sample ${wasm.secondsOfOne.toFixed(3)} s; ${(wasm.memory / 1e6).toFixed(0)} MB`);
    if (!native.equals(wasm.motion)) {
        differs = true;
        printFirstDifference("posture", native, wasm.motion);
    }
} finally {
    rmSync(folder, { recursive: true });
}
process.exitCode = differs ? 1 : 0;
