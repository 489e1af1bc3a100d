// Folders of prompts, laid for a story.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder for programs to live in, and nothing of this machine's settings with them. */
export function newHome() {
    return fs.mkdtempSync(path.join(os.tmpdir(), 'promptls-'));
}

/** Takes a home away, also while a program that just ended lets go of it. */
export function removeHome(home) {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** The folder that is worked in. */
export class Folder {
    constructor(folder) {
        this.path = folder;
        fs.mkdirSync(folder, { recursive: true });
    }

    /** Lays files instead of those that are there: texts by path. */
    lay(files) {
        for (const old of fs.readdirSync(this.path)) {
            fs.rmSync(path.join(this.path, old), { recursive: true });
        }
        for (const [name, text] of Object.entries(files)) {
            this.write(name, text);
        }
    }

    /** Writes a file. A script can be run. */
    write(name, text) {
        const file = path.join(this.path, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }

    /** A file as it is on disk. */
    read(name) {
        return fs.readFileSync(path.join(this.path, name), 'utf8');
    }

    uri(name) {
        return `file://${path.join(this.path, name)}`;
    }
}

/** The example prompts of a folder of tests/prompts, as files to lay; `first` before the others. */
export function examples(folder, first) {
    const from = new Folder(new URL(`../prompts/${folder}`, import.meta.url).pathname);
    const names = fs.readdirSync(from.path).filter((name) => name.includes('.'));
    names.sort((a, b) => Number(b === first) - Number(a === first));
    return Object.fromEntries(names.map((name) => [name, from.read(name)]));
}
