/** The text as Markdown, as many models were taught to read it. */

import { element } from '../widgets/dom';
import type { Flow } from '../text/text-view';
import { Rendered } from '../markdown/markdown-view';
import { type Model, View } from './tab';

/** Of longer texts, only the beginning is shown: reading Markdown takes longer than drawing text. */
const most = 1_000_000;

export class MarkdownView extends View {
    readonly flows: Flow[] = [];
    private readonly rendered = new Rendered();
    private readonly note = element('p.empty', { hidden: true }, 'The text is very long. Only its first million characters are shown as Markdown.');

    constructor() {
        super('markdown', 'Markdown', 'Text as Markdown');
        this.element.append(this.rendered.element, this.note);
    }

    override get traced(): Rendered[] {
        return [this.rendered];
    }

    show({ preview: { text, map }, tints }: Model): number {
        this.note.hidden = text.length <= most;
        return this.rendered.show(text, map, most, (run) => tints.of(run));
    }
}
