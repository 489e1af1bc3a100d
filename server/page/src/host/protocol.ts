/**
 * What the language server says about a prompt, beyond the protocol of editors.
 *
 * Places in files are LSP's. Offsets into a resolved text count what the client and the server
 * agreed on for positions; here, UTF-16 units.
 */

export interface Position {
    line: number;
    character: number;
}

export interface Range {
    start: Position;
    end: Position;
}

export interface Location {
    uri: string;
    range: Range;
}

/** Which prompt, in which case. */
export interface PromptParams {
    textDocument: { uri: string };
    /** The selected case if it is left out. */
    case?: string;
    /** Which prompt of a pack, by its key. */
    task?: string;
    /** Which prompt of a pack, if no key says it: the one there. */
    position?: Position;
}

/** The requests that the page asks of the server: what goes in, and what comes. `null`: no prompt. */
export interface Requests {
    'promptls/preview': [PromptParams & { previousResultId?: string }, PreviewAnswer | null];
    'promptls/size': [PromptParams & { encoding?: string }, Size | null];
    'promptls/compare': [CompareParams, Comparison | null];
    'promptls/inputs': [PromptParams, InputsForm | null];
    'workspace/executeCommand': [{ command: string; arguments: [CommandArgument] }, unknown];
}

/** What the server says by itself. */
export interface Notifications {
    /** What it said about this prompt may be old. */
    'promptls/previewChanged': { textDocument: { uri: string }; version: number | null };
}

/**
 * All of a preview, or what changed in the one whose `resultId` was given as `previousResultId`.
 * Who gives none gets all of it, who gives an empty one all of it with a `resultId`.
 */
export type PreviewAnswer = Preview | (Omit<Preview, 'text' | 'map'> & { edits: PreviewEdits });

/** How to make the text and the map of the ones before. */
export interface PreviewEdits {
    text: { range: [number, number]; new: string };
    /** `range` counts runs. Those behind it are moved, by units of the text and lines of the prompt. */
    map: { range: [number, number]; runs: Run[]; moved: { output: number; line: number } };
}

/** A prompt with its inputs filled in. */
export interface Preview {
    resultId?: string;
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
    problems: Problem[];
    map: Run[];
    /** The messages of a chat that the text is split into; none if it says no role. */
    messages: Message[];
    stats: { bytes: number; characters: number; words: number; lines: number };
    /** Why the text is an older one, if it is. */
    stale: string | null;
}

export interface Case {
    name: string;
    /** The inputs file. */
    uri: string | null;
    /** Problems that the prompt has in this case. */
    errors: number;
    warnings: number;
    /** Its resolved text as a document (`workspace/textDocumentContent`). */
    resolvedUri?: string | null;
}

export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Problem {
    code: string;
    severity: Severity;
    message: string;
    names: string[];
    location: Location;
    related: { location: Location; message: string }[];
}

/** A piece of the text that has one origin. */
export interface Run {
    output: [number, number];
    kind: 'literal' | 'value' | 'escape' | 'mixed' | 'missing' | 'runtime';
    /** Where it comes from in the prompt. */
    source: Range;
    /** The name or path of the placeholder. */
    path?: string;
    /** Where the value is written. */
    value?: Location;
    /** The fragments and loops that it came through, outermost first. */
    via?: ({ fragment: string } | { each: string; item: number })[];
    /** What a mixed piece was built from. */
    parts?: Run[];
}

/** A stretch of the text that one role says. */
export interface Message {
    /** `system`, `user`, `assistant`, …; `null` for what stands before the first role. */
    role: string | null;
    /** The line that names the role, and what is said. */
    heading: [number, number];
    body: [number, number];
}

/** How large the text is, for a model and for its cache. */
export interface Size {
    version: number | null;
    case: string | null;
    /** Which tokens were counted, and which can be. */
    encoding: string;
    encodings: string[];
    tokens: number;
    /** The most that `promptls.toml` allows. */
    maxTokens: number | null;
    /** The text of the prompt itself. */
    literal: { characters: number; tokens: number };
    /** What placeholders bring, the largest first. */
    placeholders: { path: string; characters: number; tokens: number; count: number }[];
    prefix: Prefix;
}

/** How much of the text is the same in all cases. */
export interface Prefix {
    /** Offset of the first difference. */
    end: number;
    tokens: number;
    /** How many cases were compared. With one, it ends at the first placeholder. */
    cases: number;
    /** What ends it; `null` if the texts are the same. */
    until: { path: string | null; source: Range } | null;
}

/** One of two texts to compare. */
export interface Side {
    /** The selected case if it is left out. */
    case?: string;
    /** As it was at the last commit. */
    revision?: 'HEAD';
}

export interface CompareParams extends PromptParams {
    left: Side;
    right: Side;
}

export interface Comparison {
    left: ComparedText;
    right: ComparedText;
    /** In order, without gaps. */
    parts: { same: boolean; left: [number, number]; right: [number, number] }[];
}

export interface ComparedText {
    case: string | null;
    revision: 'HEAD' | null;
    text: string;
    error: Preview['error'];
}

/** The inputs of a case, to be filled in. */
export interface InputsForm {
    case: string | null;
    /** The inputs file that edits go to; `null` if there is none yet. */
    uri: string | null;
    fields: Field[];
}

export interface Field {
    /** The keys from the top of the inputs. */
    keys: string[];
    /** The same as it is written in the prompt. */
    path: string;
    type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'any';
    /** The value that counts, as JSON; left out if there is none. */
    value?: unknown;
    /** Where the value comes from. */
    from: 'inputs' | 'default' | 'file' | 'runtime' | 'missing';
    /** Where it is written. */
    location?: Location;
    /** The only values that are allowed. */
    options?: unknown[];
    description?: string;
    /** What else is asked of it, each in a few words. */
    rules: string[];
    required: boolean;
    /** Whether the prompt uses it. */
    used: boolean;
    problems: { severity: Severity; message: string }[];
}

/** The argument of the server's commands. Edits come back as `workspace/applyEdit`. */
export interface CommandArgument {
    /** The prompt. */
    uri: string;
    task?: string;
    position?: Position;
    case?: string;
    /** `promptls.createInputs`: the case whose values the new one starts with. */
    from?: string;
    /** `promptls.setInput`: which value, and what it shall be; left out, it goes. */
    keys?: string[];
    value?: unknown;
}

export const selectCase = 'promptls.selectCase';
/** Creates an inputs file; the answer is a `CreatedInputs`. */
export const createInputs = 'promptls.createInputs';
export const setInput = 'promptls.setInput';

/** The inputs file that the server creates, and where its first value is to be typed. */
export interface CreatedInputs {
    uri: string;
    position: Position | null;
}
