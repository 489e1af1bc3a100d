/**
 * What the language server says about a prompt, beyond the protocol of editors: types that are
 * generated from the crate `promptls-protocol`, and what the page makes of them.
 *
 * Offsets into a resolved text count what the client and the server agreed on for positions; here,
 * UTF-16 units.
 */

import type * as protocol from 'promptls-protocol';

export * from 'promptls-protocol';

/** A whole preview, as those have it who keep none. */
export type Preview = Extract<protocol.PreviewAnswer, { text: string }>;

/** The requests that the page asks of the server: what goes in, and what comes. `null`: no prompt. */
export interface Requests extends protocol.Requests {
    'workspace/executeCommand': [{ command: string; arguments: [protocol.CommandArgument] }, unknown];
}
