// A prompt with two cases.
export const letter = {
    'letter.adk.prompt': 'Dear {user:name},\nyour order {order_id} is {state}.\n',
    'letter.adk.inputs.json': '{"user:name": "Ada", "order_id": 7, "state": "paid"}\n',
    'letter.adk.late.inputs.json': '{"user:name": "Bob", "order_id": 8, "state": "late"}\n',
};

/** The same files under another name, because the selected case of a prompt is stored. */
export const renamed = (files, name) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file.replace('letter', name), text]));
