import {LlmAgent} from '@google/adk';

const RULES = `Answer in {language}, ${f(`x`)} \`now\`.`;
export const a = new LlmAgent({name: 'a', instruction: RULES.trim(), globalInstruction: 'é{x}' + y});
const b = <A x="'">{/'/.test(c) ? 'd' : new LlmAgent({instruction: "\x41 {task}"})}</A>;
