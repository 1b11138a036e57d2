// Validates .glb files: `node tools/validate_glb.cjs FOLDER FILE...`, where FOLDER has gltf-validator in its node_modules.
// Prints every message; exits with 1 if there is an error or a warning.

const fs = require("fs");
const path = require("path");

const [folder, ...files] = process.argv.slice(2);
const validator = require(path.resolve(folder, "node_modules", "gltf-validator"));

async function main() {
    let isGood = files.length > 0;
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 50 });
        const { numErrors, numWarnings, numInfos, messages } = report.issues;
        for (const { severity, code, message, pointer } of messages) {
            console.log(`${file}: ${["error", "warning", "info", "hint"][severity]} ${code} at ${pointer}: ${message}`);
        }
        console.log(`${path.basename(file)}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
        isGood = isGood && numErrors === 0 && numWarnings === 0;
    }
    process.exitCode = isGood ? 0 : 1;
}

main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
