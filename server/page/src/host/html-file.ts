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
            connection.receive({ id, result: answers.to(method, params as RequestParams) });
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

type RequestParams = (HtmlFileQuery & { command?: string; arguments?: [{ case?: string }] }) | null;

class Answers {
    private selected: string | null;

    constructor(readonly data: HtmlFileData) {
        this.selected = data.case;
    }

    to(method: string, params: RequestParams): unknown {
        if (method === 'page/start') {
            return this.data.start;
        }
        if (method === 'workspace/executeCommand' && params?.command === selectCase) {
            this.selected = params.arguments?.[0].case ?? null;
            return null;
        }
        const key = this.key(params ?? {});
        const isRequested = (it: HtmlFileData['answers'][number]) => it.method === method && this.answers(it.params, key);
        const found = this.data.answers.find(isRequested);
        if (found === undefined) {
            throw new Error('this page was saved to a file, which does not contain that');
        }
        return found.result;
    }

    private key({ case: name, encoding, left, right }: HtmlFileQuery): Required<Pick<Key, 'case'>> & Key {
        const side = (of: Side | undefined) => of && `${of.case ?? this.selected ?? ''} ${of.revision ?? ''}`;
        return { case: name ?? this.selected ?? '', encoding, left: side(left), right: side(right) };
    }

    private answers(params: HtmlFileQuery, requested: Key): boolean {
        const has = this.key(params);
        if (requested.left !== undefined) {
            return has.left === requested.left && has.right === requested.right;
        }
        return has.case === requested.case && (requested.encoding === undefined || has.encoding === requested.encoding);
    }
}

interface Key {
    case: string;
    encoding: string | undefined;
    left: string | undefined;
    right: string | undefined;
}
