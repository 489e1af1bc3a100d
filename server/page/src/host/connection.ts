/** Requests and their answers, over whatever carries messages to the host. */

import type { Envelope, HostRequests, HostTold, PageTold } from './messages';

type Listener<M extends keyof PageTold> = (params: PageTold[M]) => void;

/** What the page keeps for the next time it is opened. */
export interface Memory {
    read(): unknown;
    write(state: unknown): void;
}

/** The program around the page. */
export class Connection {
    private readonly listeners = new Map<string, Listener<never>[]>();
    private readonly waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
    private lastId = 0;

    constructor(
        private readonly post: (message: Envelope) => void,
        readonly memory: Memory,
        /** Begins to listen. `page/start` is asked by whoever hears of `ready`. */
        readonly open: (ready: () => void) => void,
    ) {}

    request<M extends keyof HostRequests>(method: M, params: HostRequests[M][0]): Promise<HostRequests[M][1]> {
        const id = ++this.lastId;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.post({ id, method, params });
        });
    }

    tell<M extends keyof HostTold>(method: M, params: HostTold[M]): void {
        this.post({ method, params });
    }

    on<M extends keyof PageTold>(method: M, listener: Listener<M>): void {
        const all = this.listeners.get(method) ?? [];
        this.listeners.set(method, [...all, listener as Listener<never>]);
    }

    /** Takes a message of the host. Others send messages to windows, too; those are left alone. */
    received(message: unknown): void {
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

    /** Nobody will answer what was asked. */
    lose(message: string): void {
        const all = [...this.waiting.values()];
        this.waiting.clear();
        all.forEach((it) => it.reject(new Error(message)));
    }
}
