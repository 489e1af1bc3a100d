/** The text as the messages of a chat, as `promptls resolve --format messages` prints them. */

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
    private readonly hint = element(
        'p.messages-hint',
        { hidden: true },
        'The text has no roles, so it is one message. Messages start at headings such as “# System”, at lines such as “User:”, or at elements such as “<user>”.',
    );
    private readonly list = element('div.messages');
    private drawn: Drawn[] = [];

    constructor() {
        super('messages', 'Messages', 'Messages of the chat');
        this.element.append(this.list, this.hint);
    }

    get textViews(): TextView[] {
        return this.drawn.map((it) => it.view);
    }

    show({ preview: { text, map, messages }, tints, showsWhitespace }: TabContent): number {
        this.hint.hidden = messages.some(({ heading: [start, end] }) => start < end);
        const tintOf = tints.of.bind(tints);
        let drawn = 0;
        const draw = () => {
            while (this.drawn.length > messages.length) {
                this.drawn.pop()?.view.dispose();
            }
            while (this.drawn.length < messages.length) {
                this.drawn.push(this.newMessage());
            }
            setChildren(this.list, this.drawn.map((it) => it.element));
            for (const [index, message] of messages.entries()) {
                const { role, element: made, view } = this.drawn[index] as Drawn;
                setText(role, message.role);
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

/** The style of a message; some roles share one. */
function kindOf({ role }: Message): string {
    switch (role) {
        case 'system':
        case 'developer':
            return 'system';
        case 'user':
        case 'assistant':
            return role;
        default:
            return 'other';
    }
}
