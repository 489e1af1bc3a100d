/** A page in a file, which contains the responses to all possible requests. */

import { Connection } from './connection';
import type { HtmlFileData, HtmlFileQuery, JsonRpcMessage } from './messages';
import { type Side, selectCase } from './protocol';
import { storage } from './storage';

/** The host of a page with embedded data; `undefined` for other pages. */
export function htmlFileHost(): Connection | undefined {
    const data = document.getElementById('promptls-data')?.textContent;
    if (!data) {
        return undefined;
    }
    const answers = new Answers(JSON.parse(data) as HtmlFileData);
    const connection = new Connection(
        (message) => queueMicrotask(() => answer(message)),
        storage,
        (ready) => ready(),
    );
    const answer = (message: JsonRpcMessage) => {
        if (!('id' in message && 'method' in message)) {
            return;
        }
        const { id, method, params } = message;
        try {
            connection.receive({ id, result: answers.to(method, params as Asked) });
        } catch (error) {
            connection.receive({ id, error: { message: (error as Error).message } });
        }
        if (method === 'workspace/executeCommand') {
            const { uri } = answers.data.start.front;
            connection.receive({ method: 'promptls/previewChanged', params: { textDocument: { uri }, version: null } });
        }
    };
    return connection;
}

type Asked = (HtmlFileQuery & { command?: string; arguments?: [{ case?: string }] }) | null;

class Answers {
    private selected: string | null;

    constructor(readonly data: HtmlFileData) {
        this.selected = data.case;
    }

    to(method: string, params: Asked): unknown {
        if (method === 'page/start') {
            return this.data.start;
        }
        if (method === 'workspace/executeCommand' && params?.command === selectCase) {
            this.selected = params.arguments?.[0].case ?? null;
            return null;
        }
        const key = this.key(params ?? {});
        const isAsked = (it: HtmlFileData['answers'][number]) => it.method === method && this.answers(it.params, key);
        const found = this.data.answers.find(isAsked);
        if (found === undefined) {
            throw new Error('this page was saved to a file, which does not contain that');
        }
        return found.result;
    }

    private key({ case: name, encoding, left, right }: HtmlFileQuery): Required<Pick<Key, 'case'>> & Key {
        const side = (of: Side | undefined) => of && `${of.case ?? this.selected ?? ''} ${of.revision ?? ''}`;
        return { case: name ?? this.selected ?? '', encoding, left: side(left), right: side(right) };
    }

    private answers(params: HtmlFileQuery, asked: Key): boolean {
        const has = this.key(params);
        if (asked.left !== undefined) {
            return has.left === asked.left && has.right === asked.right;
        }
        return has.case === asked.case && (asked.encoding === undefined || has.encoding === asked.encoding);
    }
}

interface Key {
    case: string;
    encoding: string | undefined;
    left: string | undefined;
    right: string | undefined;
}
