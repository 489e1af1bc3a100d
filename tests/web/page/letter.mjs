// A prompt with two cases, one of them on several lines, with a comment.
export const letter = {
    'letter.adk.prompt': 'Dear {user:name},\nyour order {order_id} is {state}.\n',
    'letter.adk.inputs.json': '{\n  // who it is for\n  "user:name": "Ada",\n  "order_id": 7,\n  "state": "paid"\n}\n',
    'letter.adk.late.inputs.json': '{"user:name": "Bob", "order_id": 8, "state": "late"}\n',
};
