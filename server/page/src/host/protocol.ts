/**
 * The language server's messages about a prompt, beyond LSP: types that are generated from the
 * crate `promptls-protocol`, and derived types.
 *
 * Offsets into a resolved text are in the position encoding negotiated between client and server;
 * here, UTF-16 units.
 */

import type * as protocol from 'promptls-protocol';

export * from 'promptls-protocol';

/** A whole preview, as sent to clients without a previous one. */
export type Preview = Extract<protocol.PreviewAnswer, { text: string }>;

/** The requests of the page to the server: parameters and results. `null`: no prompt. */
export interface Requests extends protocol.Requests {
    'workspace/executeCommand': [{ command: string; arguments: [protocol.CommandArgument] }, unknown];
}
