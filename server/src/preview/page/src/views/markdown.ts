/** The text as Markdown, as many models were taught to read it. */

import { matched } from '../blocks';
import { element, setChildren, setText } from '../dom';
import type { Flow } from '../flow';
import { nodesOf, pieces } from '../markup';
import { type Model, View } from './view';

/** Of longer texts, only the beginning is shown: reading Markdown takes longer than drawing text. */
const most = 1_000_000;

export class MarkdownView extends View {
    readonly flows: Flow[] = [];
    private readonly note = element('p.empty', { hidden: true });
    private readonly body = element('div.markdown');
    private drawn: { key: string; element: HTMLElement }[] = [];
    private shown: string | undefined;

    constructor() {
        super('markdown', 'Markdown', 'Text as Markdown');
        this.element.append(this.body, this.note);
    }

    show({ preview: { text } }: Model): number {
        if (text === this.shown) {
            return 0;
        }
        this.shown = text;
        const isCut = text.length > most;
        this.note.hidden = !isCut;
        setText(this.note, 'The text is very long. Only its first million characters are shown as Markdown.');

        const keys = pieces(isCut ? text.slice(0, most) : text);
        const old = this.drawn;
        const kept = matched(old.map((it) => it.key), keys);
        let count = 0;
        this.drawn = keys.map((key, index) => {
            const same = kept[index] === undefined ? undefined : old[kept[index]];
            if (same !== undefined) {
                return same;
            }
            count++;
            const made = element('div.markdown-piece');
            made.append(nodesOf(key));
            return { key, element: made };
        });
        setChildren(this.body, this.drawn.map((it) => it.element));
        return count;
    }
}
