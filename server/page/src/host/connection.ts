/** The page as a client of its host: requests, responses and notifications over any transport. */

import type { JsonRpcMessage, HostRequests, HostNotifications, PageNotifications } from './messages';

type Listener<M extends keyof PageNotifications> = (params: PageNotifications[M]) => void;

/** State that the page stores until it is opened again. */
export interface StateStorage {
    read(): unknown;
    write(state: unknown): void;
}

/** The connection to the host. */
export class Connection {
    private readonly listeners = new Map<string, Listener<never>[]>();
    private readonly waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
    private lastId = 0;

    constructor(
        private readonly post: (message: JsonRpcMessage) => void,
        readonly storage: StateStorage,
        /** Starts listening. The callback `ready` triggers the request `page/start`. */
        readonly open: (ready: () => void) => void,
    ) {}

    request<M extends keyof HostRequests>(method: M, params: HostRequests[M][0]): Promise<HostRequests[M][1]> {
        const id = ++this.lastId;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.post({ jsonrpc: '2.0', id, method, params });
        });
    }

    notify<M extends keyof HostNotifications>(method: M, params: HostNotifications[M]): void {
        this.post({ jsonrpc: '2.0', method, params });
    }

    on<M extends keyof PageNotifications>(method: M, listener: Listener<M>): void {
        const all = this.listeners.get(method) ?? [];
        this.listeners.set(method, [...all, listener as Listener<never>]);
    }

    /** Receives a message. Messages of other senders to the window are ignored. */
    receive(message: unknown): void {
        if (typeof message !== 'object' || message === null) {
            return;
        }
        const { id, method, params, result, error } = message as Record<string, unknown>;
        if (typeof method === 'string') {
            this.listeners.get(method)?.forEach((it) => it(params as never));
            return;
        }
        const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
        if (waiting === undefined) {
            return;
        }
        this.waiting.delete(id as number);
        if (error !== undefined) {
            waiting.reject(new Error((error as { message?: string }).message ?? 'no answer'));
        } else {
            waiting.resolve(result as never);
        }
    }

    /** Rejects all pending requests after the connection is lost. */
    rejectAll(message: string): void {
        const all = [...this.waiting.values()];
        this.waiting.clear();
        all.forEach((it) => it.reject(new Error(message)));
    }
}
