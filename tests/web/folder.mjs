// Folders of prompts, created for a story.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A home folder for programs, without any settings of this machine. */
export function newHome() {
    return fs.mkdtempSync(path.join(os.tmpdir(), 'promptls-'));
}

/** Removes a home, even while a program that just ended still releases it. */
export function removeHome(home) {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** The working folder. */
export class Folder {
    constructor(folder) {
        this.path = folder;
        fs.mkdirSync(folder, { recursive: true });
    }

    /** Replaces all files: texts by path. */
    lay(files) {
        for (const old of fs.readdirSync(this.path)) {
            fs.rmSync(path.join(this.path, old), { recursive: true });
        }
        for (const [name, text] of Object.entries(files)) {
            this.write(name, text);
        }
    }

    /**
     * Writes a file. A script is executable. What watches the folder never reads half of a file:
     * it is written outside and moved.
     */
    write(name, text) {
        const file = path.join(this.path, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        const outside = `${this.path}.new`;
        fs.writeFileSync(outside, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
        fs.renameSync(outside, file);
    }

    /** The content of a file on disk. */
    read(name) {
        return fs.readFileSync(path.join(this.path, name), 'utf8');
    }

    uri(name) {
        return `file://${path.join(this.path, name)}`;
    }
}

/** The example prompts of a folder of tests/prompts, as files; `first` before the others. */
export function examples(folder, first) {
    const from = new Folder(new URL(`../prompts/${folder}`, import.meta.url).pathname);
    const names = fs.readdirSync(from.path).filter((name) => name.includes('.'));
    names.sort((a, b) => Number(b === first) - Number(a === first));
    return Object.fromEntries(names.map((name) => [name, from.read(name)]));
}
