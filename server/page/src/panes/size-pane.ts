/** The size of the text, its parts, and the part that a cache can reuse. */

import { CoalescedRequest } from '../host/coalesced-request';
import type { Preview, Size } from '../host/protocol';
import { shortText } from '../text/draw-text';
import { Choice, button } from '../widgets/controls';
import { element, setChildren, setText } from '../widgets/dom';
import { count, share } from '../widgets/words';
import type { Pane } from './pane';

/** The maximum number of listed placeholders; the rest is summed up. */
const mostListed = 12;

export interface SizeActs {
    request(): Promise<Size | null>;
    /** Selects the tokenizer. */
    chooseEncoding(encoding: string): void;
    /** Called when the end of the cacheable prefix changes. */
    prefixChanged(): void;
    /** Called when the size is known, or `undefined` for another prompt. */
    counted(size: Size | undefined): void;
    /** Goes to the output of a placeholder. */
    goTo(path: string): void;
    /** Goes to the end of the cacheable prefix. */
    goToPrefix(): void;
}

export class SizePane {
    private readonly totals = element('dl.totals');
    private readonly budget = element('div.budget');
    private readonly encoding: Choice;
    private readonly counting: HTMLElement;
    private readonly parts = element('ul.parts');
    private readonly prefix = element('div.prefix-note');
    private readonly message = element('p.empty', { hidden: true });
    private showsAll = false;
    private size: Size | undefined;
    private stats: Preview['stats'] | undefined;
    private readonly request: CoalescedRequest<null, Size | null>;

    constructor(
        readonly pane: Pane,
        private readonly acts: SizeActs,
    ) {
        this.encoding = new Choice('Kind of tokens', (encoding) => {
            acts.chooseEncoding(encoding);
            this.refresh();
        });
        this.counting = element('label.counting', {}, 'Tokens of ', this.encoding.element);
        this.request = new CoalescedRequest(
            () => acts.request(),
            (size) => this.show(size),
            ({ message }) => this.fail(message),
        );
        pane.body.append(this.message, this.totals, this.budget, this.parts, this.prefix, this.counting);
    }

    /** Shows the statistics of the preview, which are available at once. */
    showStats(stats: Preview['stats']): void {
        this.stats = stats;
        this.draw();
    }

    /**
     * The end of the prefix that is identical in all cases, and its label; `undefined` for a short
     * prefix.
     */
    get prefixEnd(): { end: number; label: string } | undefined {
        const prefix = this.size?.prefix;
        return prefix?.cacheable ? { end: prefix.end, label: prefixLabel(prefix) } : undefined;
    }

    /** Requests the current size. */
    refresh(): void {
        this.request.send(null);
    }

    /** Clears the size for another prompt. */
    forget(): void {
        this.request.cancel();
        this.size = undefined;
        this.acts.counted(undefined);
        this.draw();
    }

    private show(size: Size | null): void {
        const old = JSON.stringify(this.size?.prefix);
        this.size = size ?? undefined;
        this.message.hidden = true;
        this.acts.counted(this.size);
        this.draw();
        if (JSON.stringify(size?.prefix) !== old) {
            this.acts.prefixChanged();
        }
    }

    /** Shows the reason why there is no size. */
    private fail(message: string): void {
        this.message.hidden = false;
        setText(this.message, message);
    }

    private draw(): void {
        const { size, stats } = this;
        const pairs: [string, string][] = stats
            ? [
                  ['Characters', stats.characters.toLocaleString('en')],
                  ['Words', stats.words.toLocaleString('en')],
                  ['Lines', stats.lines.toLocaleString('en')],
              ]
            : [];
        if (size) {
            pairs.unshift(['Tokens', size.tokens.toLocaleString('en')]);
        }
        setChildren(this.totals, pairs.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
        this.pane.showNote(size ? count(size.tokens, 'token') : '');
        for (const part of [this.budget, this.parts, this.prefix, this.counting]) {
            part.hidden = size === undefined;
        }
        if (size) {
            this.encoding.show([{ options: size.encodings.map((it) => ({ value: it, label: it })) }], size.encoding);
            this.drawBudget(size);
            this.drawParts(size);
            this.drawPrefix(size);
        }
    }

    private drawBudget({ tokens, maxTokens }: Size): void {
        this.budget.hidden = maxTokens === null;
        if (maxTokens === null) {
            return;
        }
        const isOver = tokens > maxTokens;
        const words = isOver
            ? `${count(tokens - maxTokens, 'token')} over the ${maxTokens.toLocaleString('en')} allowed`
            : `${share(tokens, maxTokens)} of the ${maxTokens.toLocaleString('en')} tokens allowed`;
        this.budget.classList.toggle('over', isOver);
        this.budget.replaceChildren(bar(tokens, Math.max(maxTokens, tokens)), element('span', {}, words));
    }

    private drawParts({ tokens, literal, placeholders }: Size): void {
        const large = placeholders.filter((it) => it.characters > 0);
        const listed = this.showsAll ? large : large.slice(0, mostListed);
        const items = listed.map(({ path, tokens: part, characters, count: times }) => {
            const name = element('span.part-name', {}, shortText(path));
            const made = element('button.part', { type: 'button' }, name, numbers(part, tokens), bar(part, tokens));
            const places = times > 1 ? `, in ${times} places` : '';
            made.dataset['tip'] = `${path}: ${count(part, 'token')}, ${count(characters, 'character')}${places}`;
            made.addEventListener('click', () => this.acts.goTo(path));
            return element('li', {}, made);
        });
        const text = element('div.part', {}, element('span.part-name.literal', {}, 'text of the prompt'), numbers(literal.tokens, tokens), bar(literal.tokens, tokens));
        items.push(element('li', {}, text));
        const more = large.length - listed.length;
        if (more > 0) {
            const showAll = () => {
                this.showsAll = true;
                this.draw();
            };
            items.push(element('li', {}, button(`${more} more`, showAll, 'link')));
        }
        setChildren(this.parts, items);
    }

    private drawPrefix({ prefix, tokens }: Size): void {
        this.prefix.hidden = !prefix.cacheable;
        const words = prefixWords(prefix, tokens);
        const made = button(words, () => this.acts.goToPrefix(), 'link');
        this.prefix.replaceChildren(element('span.prefix-mark', { 'aria-hidden': true }), made);
    }
}

/** A sentence about the cacheable prefix. */
function prefixWords({ tokens: part, cases, until }: Size['prefix'], tokens: number): string {
    const what = cases > 2 ? `the same in all ${cases} cases` : cases === 2 ? 'the same in both cases' : 'the same for all inputs';
    if (until === null) {
        return cases > 1 ? `Cacheable start: everything is ${what}` : 'Cacheable start: the text does not depend on inputs';
    }
    const end = until.path === null ? '' : `, up to ${until.path}`;
    return `Cacheable start: the first ${share(part, tokens)} (${count(part, 'token')}) is ${what}${end}`;
}

/** The label in the text at the end of the cacheable prefix. */
function prefixLabel({ tokens, until, cases }: Size['prefix']): string {
    if (until === null) {
        return `cacheable start: all of the text, ${count(tokens, 'token')}`;
    }
    const ended = until.path === null ? '' : ` ends at ${until.path}`;
    return `cacheable start${ended}, ${count(tokens, 'token')}${cases > 1 ? `, ${cases} cases` : ''}`;
}

function numbers(part: number, whole: number): HTMLElement {
    return element('span.part-share', {}, element('span.part-tokens', {}, part.toLocaleString('en')), share(part, whole));
}

/** A bar for a share; its number is next to it. */
function bar(part: number, whole: number): HTMLElement {
    const fill = element('span.bar-fill');
    fill.style.setProperty('inline-size', `${whole === 0 ? 0 : Math.min(100, (100 * part) / whole)}%`);
    return element('span.bar', { 'aria-hidden': true }, fill);
}
