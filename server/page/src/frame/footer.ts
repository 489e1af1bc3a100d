/** The row below the text: the sources of values, the number of problems, and the size. */

import type { Location, Preview, Size } from '../host/protocol';
import type { Tints } from '../text/tints';
import { element, setChildren, setText } from '../widgets/dom';
import { icon } from '../widgets/icons';
import { count, counted, fileName } from '../widgets/words';

export class Footer {
    readonly element: HTMLElement;
    private readonly origins = element('div.origins', { role: 'group', 'aria-label': 'Where values come from' });
    private readonly errors = element('span');
    private readonly warnings = element('span');
    private readonly problems: HTMLButtonElement;
    private readonly stats = element('button.stats', { type: 'button' });
    private readonly message = element('span.status-message', { role: 'status' });
    private text: Preview['stats'] | undefined;
    private size: Size | undefined;
    private shown = '';
    private messageTimer = 0;

    constructor(private readonly acts: { go(location: Location): void; showProblems(): void; showSize(): void }) {
        const hidden = (words: string) => element('span.visually-hidden', {}, words);
        this.problems = element(
            'button.problem-counts',
            { type: 'button' },
            ...[icon('error'), this.errors, hidden(' errors, '), icon('warning'), this.warnings, hidden(' warnings')],
        );
        this.problems.addEventListener('click', () => acts.showProblems());
        this.stats.addEventListener('click', () => acts.showSize());
        this.element = element('footer.footer', {}, this.problems, this.origins, this.message, this.stats);
    }

    show({ map, problems, stats }: Preview, tints: Tints): void {
        this.showOrigins(map, tints);
        const number = (severity: string) => problems.filter((it) => it.severity === severity).length;
        const [errors, warnings] = [number('error'), number('warning')];
        setText(this.errors, String(errors));
        setText(this.warnings, String(warnings));
        const label = counted({ errors, warnings }) || 'No problems';
        this.problems.dataset['tip'] = label;
        this.text = stats;
        this.showStats();
    }

    /** The number of tokens; `undefined` for another prompt until they are counted. */
    showSize(size: Size | undefined): void {
        this.size = size;
        this.showStats();
    }

    private showStats(): void {
        const { text, size } = this;
        if (text === undefined) {
            return;
        }
        const first = size ? tokens(size) : count(text.words, 'word');
        const isOver = size !== undefined && size.maxTokens !== null && size.tokens > size.maxTokens;
        setText(this.stats, `${first} · ${count(text.characters, 'character')}`);
        this.stats.classList.toggle('is-over', isOver);
        this.stats.dataset['tip'] = [count(text.words, 'word'), count(text.lines, 'line'), count(text.bytes, 'byte')].join(', ');
    }

    private showOrigins(map: Preview['map'], tints: Tints): void {
        const key = JSON.stringify(tints.files);
        this.locations = (uri) => map.find((run) => run.value?.uri === uri)?.value;
        if (key === this.shown) {
            return;
        }
        this.shown = key;
        const made = tints.files.map(([uri, tint]) => {
            const origin = element('button.origin', { type: 'button', class: `origin tint-${tint}`, 'data-tip': `Open ${fileName(uri)}` }, fileName(uri));
            origin.addEventListener('click', () => {
                const location = this.locations(uri);
                if (location) {
                    this.acts.go(location);
                }
            });
            return origin;
        });
        setChildren(this.origins, made);
    }

    private locations: (uri: string) => Location | undefined = () => undefined;

    /** Shows a message for some time. */
    showMessage(message: string): void {
        clearTimeout(this.messageTimer);
        setText(this.message, message);
        this.messageTimer = window.setTimeout(() => setText(this.message, ''), 6000);
    }
}

/** The number of tokens with the limit, if there is one: `1,204 tokens`. */
function tokens({ tokens, maxTokens }: Size): string {
    const allowed = maxTokens === null ? '' : `${tokens.toLocaleString('en')} of `;
    return allowed + count(maxTokens ?? tokens, 'token');
}
