/** The text as a chat: a message for each role that it names. */

import type { Message } from '../host/protocol';
import { keepScroll } from '../text/keep-scroll';
import { TextView } from '../text/text-view';
import { element, setChildren, setText } from '../widgets/dom';
import { type TabContent, Tab } from './tab';

interface Drawn {
    element: HTMLElement;
    role: HTMLElement;
    view: TextView;
}

export class MessagesTab extends Tab {
    private readonly none = element('p.empty', { hidden: true });
    private readonly list = element('div.messages');
    private drawn: Drawn[] = [];

    constructor() {
        super('messages', 'Messages', 'Messages of the chat');
        this.element.append(this.none, this.list);
    }

    get textViews(): TextView[] {
        return this.drawn.map((it) => it.view);
    }

    show({ preview: { text, map, messages }, tints, showsWhitespace }: TabContent): number {
        this.none.hidden = messages.length > 0;
        setText(this.none, 'The text names no roles. Messages begin at headings as “# System”, at lines as “User:”, or at elements as “<user>”.');
        const tintOf = tints.of.bind(tints);
        // What stands before the first role is worth showing only if there is something.
        const shown = messages.filter((it) => it.role !== null || text.slice(...it.body).trim() !== '');
        let drawn = 0;
        const draw = () => {
            while (this.drawn.length > shown.length) {
                this.drawn.pop()?.view.dispose();
            }
            while (this.drawn.length < shown.length) {
                this.drawn.push(this.newMessage());
            }
            setChildren(this.list, this.drawn.map((it) => it.element));
            for (const [index, message] of shown.entries()) {
                const { role, element: made, view } = this.drawn[index] as Drawn;
                setText(role, message.role ?? 'before the first role');
                made.dataset['role'] = kindOf(message);
                drawn += view.show({ text, map, range: message.body, tintOf, showsWhitespace });
            }
        };
        keepScroll(this.scroller, this.textViews, draw);
        return drawn;
    }

    private newMessage(): Drawn {
        const view = new TextView(this.scroller);
        const role = element('h3.role');
        return { element: element('article.message', {}, role, view.element), role, view };
    }
}

/** What a message looks like: roles have many names. */
function kindOf({ role }: Message): string {
    switch (role?.toLowerCase()) {
        case 'system':
        case 'developer':
            return 'system';
        case 'user':
        case 'human':
            return 'user';
        case 'assistant':
        case 'ai':
        case 'model':
            return 'assistant';
        default:
            return 'other';
    }
}
