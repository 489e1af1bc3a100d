/** What the server says beyond the protocol of editors, for the client library. */

import type { Case, Notifications, Preview, PromptParams } from 'promptls-page/protocol';
import { NotificationType, RequestType } from 'vscode-languageclient';
import type { Range } from 'vscode-languageclient';

export type { Case, CreatedInputs, Preview, PromptParams } from 'promptls-page/protocol';
export { createInputs, selectCase } from 'promptls-page/protocol';

/** A prompt and its cases, without its text. */
export interface PromptCases {
    uri: string;
    version: number | null;
    /** Which prompt of a pack. */
    task?: string;
    /** The case that is selected; `null` if there are no inputs. */
    case: string | null;
    cases: Case[];
    /** The resolved text as a document; `null` for what has no address. */
    resolvedUri: string | null;
}

/** What stands in the place of a placeholder, in one line. */
export interface GhostValue {
    range: Range;
    text: string;
    kind: 'value' | 'missing' | 'runtime';
}

export const previewRequest = new RequestType<PromptParams, Preview | null, void>('promptls/preview');

export const casesRequest = new RequestType<PromptParams, PromptCases | null, void>('promptls/cases');

export const valuesRequest = new RequestType<
    { textDocument: { uri: string }; range: Range; case?: string },
    GhostValue[] | null,
    void
>('promptls/values');

export const previewChanged = new NotificationType<Notifications['promptls/previewChanged']>(
    'promptls/previewChanged',
);
