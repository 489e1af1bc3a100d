/** `promptls preview --serve` as the host, over a WebSocket. */

import { Connection } from './connection';
import type { JsonRpcMessage } from './messages';
import { storage } from './storage';

/** The delays before reconnecting, in milliseconds: increasing, the last one repeats. */
const pauses = [200, 500, 1000, 2000, 4000];

const lost = 'The connection to promptls is lost. If promptls has stopped, start it again and open its new URL.';

/** The host over a WebSocket, which reconnects whenever the connection is lost. */
export function socketHost(): Connection {
    const url = new URL('./socket', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    url.search = location.search;
    url.hash = '';

    let socket: WebSocket | undefined;
    let tries = 0;
    const unsent: JsonRpcMessage[] = [];

    const post = (message: JsonRpcMessage) => {
        if (socket?.readyState === WebSocket.OPEN) {
            socket.send(JSON.stringify(message));
        } else if ('id' in message) {
            unsent.push(message);
        }
    };
    const connection = new Connection(post, storage, (ready) => {
        const connect = () => {
            socket = new WebSocket(url);
            socket.addEventListener('open', () => {
                tries = 0;
                connection.receive({ method: 'page/lost', params: { message: null } });
                ready();
                unsent.splice(0).forEach(post);
            });
            socket.addEventListener('message', ({ data }) => connection.receive(JSON.parse(data as string)));
            socket.addEventListener('close', () => {
                unsent.length = 0;
                connection.rejectAll('the connection is lost');
                connection.receive({ method: 'page/lost', params: { message: lost } });
                setTimeout(connect, pauses[Math.min(tries++, pauses.length - 1)]);
            });
        };
        connect();
    });
    return connection;
}
