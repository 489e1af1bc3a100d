/**
 * What the page and its host, the program around it, say to each other: requests, their answers, and
 * notifications, as in JSON-RPC.
 *
 * The host is VS Code's extension, or `promptls preview --serve`. It hands the requests of
 * `protocol.ts` on to a language server, and hands back what the server says by itself. Besides,
 * it does what only it can do: what is below.
 */

import type { Location, Position, PreviewAnswer, PreviewParams, Requests, ServerNotifications, Side } from './protocol';

/** One message. A request has `id` and `method`, its answer `id` alone, a notification `method` alone. */
export type JsonRpcMessage = { jsonrpc: '2.0' } & (
    | { id: number; method: string; params: unknown }
    | { id: number; result: unknown }
    | { id: number; error: { message: string } }
    | { method: string; params: unknown }
);

/** The requests of the page to its host: what goes in, and what comes. */
export interface HostRequests extends Requests {
    /** The first one. */
    'page/start': [null, StartAnswer];
    /** Puts the cursor of the editor there. */
    'page/reveal': [Location, null];
    /** Asks where to save a text, and writes it. */
    'page/saveAs': [{ name: string; text: string }, null];
    /** Writes the files that were edited here; refused for those that changed meanwhile. */
    'page/save': [null, null];
    /** Takes back the last edit that was made here. */
    'page/undo': [null, null];
}

/** The notifications of the page to its host. */
export interface HostNotifications {
    /** What it shows, for titles; `pinned`: whatever comes to the front. */
    'page/shows': { uri: string; task: string | null; pinned: boolean };
    /** The line of the prompt at the top of the page was scrolled to; parts of lines count. */
    'page/scrolled': { uri: string; line: number };
}

/** The notifications of the host to its page. */
export interface PageNotifications extends ServerNotifications {
    /** The prompt in front, unless the page is pinned. */
    'page/front': FrontPrompt;
    /** What the page is about to ask for, as its prompt changed, and the answer. */
    'page/preview': { params: PreviewParams; answer: PreviewAnswer };
    /** Where the cursor is in a prompt. `reveal`: bring its output into view. */
    'page/cursor': { uri: string; position: Position; reveal: boolean };
    /** The line of the prompt at the top of the editor. */
    'page/scroll': { uri: string; line: number };
    /** Files that were edited here and are not saved. */
    'page/unsaved': { files: { uri: string; name: string }[] };
    /** Show two texts beside each other: now, and at a revision if there is one. */
    'page/compare': { revision?: string } | null;
    /** What the host can do from now on. */
    'page/can': HostCapabilities;
    /** Nobody answers for now, and why; `null`: somebody does again. */
    'page/lost': { message: string | null };
    /** Pin the page to what it shows, or let it follow. */
    'page/pin': { pinned: boolean };
}

/** The prompt to show; without a URI, there is none, and the message says so. */
export interface FrontPrompt {
    uri: string | null;
    /** Which prompt of a pack, by its key, or else by a place. */
    task?: string;
    position?: Position;
    message?: string;
}

/** The answer to the first request. */
export interface StartAnswer {
    front: FrontPrompt;
    can: HostCapabilities;
}

/** What the host can do. */
export interface HostCapabilities {
    /** An editor is there to show places in. */
    reveal: boolean;
    /** There is more than one prompt that may come to the front. */
    follow: boolean;
    /** Values can be edited. */
    edit: boolean;
    /** Edits are saved and taken back by `page/save` and `page/undo`, not in an editor. */
    save: boolean;
    /** Asks where to save a text; else the page hands it to the browser. */
    saveAs: boolean;
}

/**
 * What a page that was written to a file knows: the JSON in its element `#promptls-data`. It has no
 * host; its questions are answered from here.
 */
export interface HtmlFileData {
    start: StartAnswer;
    /** The case that is shown first. */
    case: string | null;
    /** What was asked for each case, and answered. Names of cases stand in `case`, `left` and `right`. */
    answers: { method: keyof Requests; params: HtmlFileQuery; result: unknown }[];
}

/** What tells one question from another. */
export interface HtmlFileQuery {
    case?: string;
    encoding?: string;
    left?: Side;
    right?: Side;
}
