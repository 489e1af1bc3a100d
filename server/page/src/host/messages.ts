/**
 * The messages between the page and its host: requests, responses and notifications, as in
 * JSON-RPC.
 *
 * The host is VS Code's extension, or `promptls preview --serve`. It forwards the requests of
 * `protocol.ts` to a language server, and the server's notifications to the page. In addition, it
 * handles the requests below, which only a host can.
 */

import type { Location, Position, PreviewAnswer, PreviewParams, Requests, ServerNotifications, Side } from './protocol';

/** One message. A request has `id` and `method`, its response only `id`, a notification only `method`. */
export type JsonRpcMessage = { jsonrpc: '2.0' } & (
    | { id: number; method: string; params: unknown }
    | { id: number; result: unknown }
    | { id: number; error: { message: string } }
    | { method: string; params: unknown }
);

/** The requests of the page to its host: parameters and results. */
export interface HostRequests extends Requests {
    /** The first request. */
    'page/start': [null, StartAnswer];
    /** Moves the cursor of the editor to this place. */
    'page/reveal': [Location, null];
    /** Lets the user choose where to save a text, and writes it. */
    'page/saveAs': [{ name: string; text: string }, null];
    /** Writes the files with edits of this page; fails for files that have changed meanwhile. */
    'page/save': [null, null];
    /** Reverts the last edit of this page. */
    'page/undo': [null, null];
}

/** The notifications of the page to its host. */
export interface HostNotifications {
    /** The prompt on the page, for titles. `pinned`: it stays when another prompt comes to the front. */
    'page/shows': { uri: string; task: string | null; pinned: boolean };
    /** The line of the prompt to which the page was scrolled, at its top; may be fractional. */
    'page/scrolled': { uri: string; line: number };
}

/** The notifications of the host to its page. */
export interface PageNotifications extends ServerNotifications {
    /** The prompt in front, unless the page is pinned. */
    'page/front': FrontPrompt;
    /** The parameters that the page would request after a change of its prompt, and the response. */
    'page/preview': { params: PreviewParams; answer: PreviewAnswer };
    /** The cursor position in a prompt. `reveal`: scroll its output into view. */
    'page/cursor': { uri: string; position: Position; reveal: boolean };
    /** The line of the prompt at the top of the editor; may be fractional. */
    'page/scroll': { uri: string; line: number };
    /** The files with unsaved edits of this page. */
    'page/unsaved': { files: { uri: string; name: string }[] };
    /** Compare two texts: the current one with a revision, if one is given. */
    'page/compare': { revision?: string } | null;
    /** The new capabilities of the host. */
    'page/can': HostCapabilities;
    /** The server is unavailable, with the reason; `null`: it is available again. */
    'page/lost': { message: string | null };
    /** Pin the page to its prompt, or let it follow. */
    'page/pin': { pinned: boolean };
}

/** The prompt to show; without a URI, there is none, and the message gives the reason. */
export interface FrontPrompt {
    uri: string | null;
    /** The prompt in a pack, by its key or by a position. */
    task?: string;
    position?: Position;
    message?: string;
}

/** The response to the first request. */
export interface StartAnswer {
    front: FrontPrompt;
    can: HostCapabilities;
}

/** The capabilities of the host. */
export interface HostCapabilities {
    /** An editor can show places. */
    reveal: boolean;
    /** Another prompt can come to the front. */
    follow: boolean;
    /** Values can be edited. */
    edit: boolean;
    /** Edits are saved and reverted with `page/save` and `page/undo`, not in an editor. */
    save: boolean;
    /** The host can save a text; otherwise the browser downloads it. */
    saveAs: boolean;
}

/**
 * The data of a page in a file: the JSON in its element `#promptls-data`. Such a page has no host;
 * its requests are answered from this data.
 */
export interface HtmlFileData {
    start: StartAnswer;
    /** The initial case. */
    case: string | null;
    /** The requests for each case, and their results. Names of cases are in `case`, `left` and `right`. */
    answers: { method: keyof Requests; params: HtmlFileQuery; result: unknown }[];
}

/** The parameters that distinguish requests. */
export interface HtmlFileQuery {
    case?: string;
    encoding?: string;
    left?: Side;
    right?: Side;
}
