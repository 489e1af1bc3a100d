// Prints the shell commands below a heading: commands.mjs README.md HEADING
import fs from 'node:fs';

const [file, heading] = process.argv.slice(2);
const sections = fs.readFileSync(file, 'utf8').split(/^#+ /m);
const section = sections.find((it) => it.startsWith(heading));
const commands = [...(section ?? '').matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text);
if (commands.length === 0) {
    console.error(`${file} has no commands under "${heading}"`);
    process.exit(1);
}
console.log(commands.join(''));
