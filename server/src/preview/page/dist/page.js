'use strict';
// Shows the text alone, until the page is built from its sources.
{
    const app = document.getElementById('app');
    const show = text => { app.replaceChildren(Object.assign(document.createElement('pre'), { textContent: text })); };
    const data = document.getElementById('promptls-data');
    if (data) {
        const { responses } = JSON.parse(data.textContent);
        show(responses.find(response => response.method === 'promptls/preview').result.text);
    } else {
        const address = new URL('socket', location.href);
        address.protocol = 'ws:';
        const socket = new WebSocket(address);
        let last = 0;
        let front = null;
        const asked = new Map();
        const ask = (method, params, then) => {
            asked.set(++last, then);
            socket.send(JSON.stringify({ id: last, method, params }));
        };
        const preview = () => ask('promptls/preview', { textDocument: { uri: front } }, answer => show(answer ? answer.text : 'no prompt'));
        socket.onopen = () => ask('page/start', null, start => { front = start.front.uri; preview(); });
        socket.onmessage = event => {
            const message = JSON.parse(event.data);
            if (message.method === 'promptls/previewChanged') { preview(); }
            asked.get(message.id)?.(message.result);
            asked.delete(message.id);
        };
    }
}
