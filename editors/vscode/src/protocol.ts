/** What the server says about a prompt: `promptls/preview`, and the word that there is news. */

import { NotificationType, RequestType } from 'vscode-languageclient';
import type { Location, Position, Range } from 'vscode-languageclient';

export interface PreviewParams {
    textDocument: { uri: string };
    /** Which case to show; the selected one if it is left out. */
    case?: string;
    /** Which prompt of a pack. */
    position?: Position;
}

/** A prompt with its inputs filled in. */
export interface Preview {
    uri: string;
    version: number | null;
    dialect: string;
    /** Which prompt of a pack. */
    task?: string;
    /** The case that is shown; `null` if there are no inputs. */
    case: string | null;
    cases: Case[];
    text: string;
    /** What the engine would say instead of sending the text. */
    error: { kind: string; names: string[]; message: string } | null;
    problems: { severity: 'error' | 'warning' | 'info' | 'hint'; message: string }[];
    map: Run[];
    stats: { bytes: number; characters: number; words: number; lines: number };
    /** Why the text is an older one, if it is. */
    stale: string | null;
}

export interface Case {
    name: string;
    /** The inputs file. */
    uri: string;
    /** Problems that the prompt has in this case. */
    errors: number;
    warnings: number;
}

/** A piece of the text that has one origin. */
export interface Run {
    /** UTF-16 units from the start of the text. */
    output: [number, number];
    kind: 'literal' | 'value' | 'escape' | 'mixed' | 'missing' | 'runtime';
    /** Where it comes from in the prompt. */
    source: Range;
    /** The name or path of the placeholder. */
    path?: string;
    /** Where the value is written. */
    value?: Location;
    /** The fragments and loops that it came through. */
    via?: ({ fragment: string } | { each: string; item: number })[];
}

export const previewRequest = new RequestType<PreviewParams, Preview | null, void>(
    'promptls/preview',
);

export const previewChanged = new NotificationType<{
    textDocument: { uri: string };
    version: number | null;
}>('promptls/previewChanged');

/** The inputs file that the server creates, and where its first value is to be typed. */
export interface CreatedInputs {
    uri: string;
    position: Position | null;
}

/** Commands of the server. */
export const selectCaseCommand = 'promptls.selectCase';
export const createInputsCommand = 'promptls.createInputs';
