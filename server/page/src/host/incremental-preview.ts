/**
 * Requests previews incrementally: stores the last one, so that the server sends only its changes.
 *
 * While the user types, a text of megabytes changes in a few characters; sending all of it each
 * time would take longer than anything else.
 */

import type { Moved, Position, Preview, PreviewAnswer, PreviewEdits, PreviewParams, PromptParams, Run } from './protocol';

/** A preview with an id that requests can refer to. */
type Referable = Preview & { resultId: string };

export class IncrementalPreview {
    private last: Referable | undefined;

    constructor(private readonly send: (params: PromptParams & { previousResultId: string }) => Promise<PreviewAnswer | null>) {}

    /** Only one request at a time: each response refers to the previous one. */
    async request(params: PromptParams): Promise<Preview | null> {
        const request = this.paramsOf(params);
        const { last } = this;
        this.last = undefined;
        const answer = await this.send(request);
        return answer && this.take(last, answer);
    }

    /** The preview of a response without a request; `undefined` if it does not match the parameters. */
    pushed(params: PromptParams, { params: answered, answer }: { params: PreviewParams; answer: PreviewAnswer }): Preview | undefined {
        const isIt = JSON.stringify(answered) === JSON.stringify(this.paramsOf(params));
        return isIt ? this.take(this.last, answer) : undefined;
    }

    private paramsOf(params: PromptParams): PromptParams & { previousResultId: string } {
        return { ...params, previousResultId: this.last?.resultId ?? '' };
    }

    private take(last: Referable | undefined, answer: PreviewAnswer): Preview {
        const preview = 'edits' in answer ? edited(last, answer) : answer;
        if (hasResultId(preview)) {
            this.last = preview;
        }
        return preview;
    }
}

function hasResultId(preview: Preview): preview is Referable {
    return preview.resultId !== undefined;
}

function edited(last: Preview | undefined, answer: Exclude<PreviewAnswer, Preview>): Preview {
    if (last === undefined) {
        throw new Error('the server sent changes of a preview that this page does not have');
    }
    const { edits, ...rest } = answer;
    return { ...rest, text: textAfter(last.text, edits.text), map: mapAfter(last.map, edits.map) };
}

function textAfter(text: string, { range: [start, end], new: inserted }: PreviewEdits['text']): string {
    return text.slice(0, start) + inserted + text.slice(end);
}

function mapAfter(map: Run[], { range: [start, end], runs, moved }: PreviewEdits['map']): Run[] {
    const behind = map.slice(end);
    const moves = moved.output !== 0 || moved.line !== 0 || moved.character !== 0;
    return [...map.slice(0, start), ...runs].concat(moves ? behind.map((run) => runAfter(run, moved)) : behind);
}

function runAfter(run: Run, moved: Moved): Run {
    const { output: [start, end], source } = run;
    return {
        ...run,
        output: [start + moved.output, end + moved.output],
        source: { start: placeAfter(source.start, moved), end: placeAfter(source.end, moved) },
    };
}

function placeAfter(at: Position, { from, line, character }: Moved): Position {
    if (at.line === from.line && at.character >= from.character) {
        return { line: at.line + line, character: at.character + character };
    }
    return at.line > from.line ? { ...at, line: at.line + line } : at;
}
