/** What the extension and the page of the preview say to each other. */

import type { Location, Position, Range } from 'vscode-languageclient';
import type { Preview } from '../protocol';

export type ToPage =
    | { type: 'show'; preview: Shown }
    /** There is nothing to show, and why. */
    | { type: 'nothing'; message: string }
    /** The cursor in the prompt, if it is there. `reveal`: bring its output into view. */
    | { type: 'cursor'; position: Position | null; reveal: boolean };

export type FromPage =
    | { type: 'ready' }
    /** Show where a piece comes from in the prompt. */
    | { type: 'source'; range: Range }
    /** Show where a value is written. */
    | { type: 'value'; location: Location }
    | { type: 'case'; name: string }
    | { type: 'createInputs' };

/** A preview, cut off if it is very long. */
export type Shown = Preview & {
    isCut: boolean;
    /** Why the text may be out of date. */
    note: string | null;
    /** Names of the files that values come from, by URI. */
    files: Record<string, string>;
};

/** What the page keeps while it is not shown. */
export interface PageState {
    uri?: string;
    scroll?: number;
}
