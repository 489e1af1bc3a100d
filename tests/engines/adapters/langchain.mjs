// @langchain/core: the parser and the renderer of `PromptTemplate.fromTemplate(...).invoke(...)`.

import { answer, importAlone } from './alone.mjs';

const { parseFString, renderTemplate } = await importAlone(`${process.argv[2]}/dist/prompts/template.js`);

await answer(async (template, inputs) => {
    try {
        const names = parseFString(template).filter((node) => node.type === 'variable').map((node) => node.name);
        if (names.includes('stop')) return { error: { kind: 'declaration' } };
    } catch (error) {
        return { error: { kind: 'engine', message: error.message } };
    }
    try {
        return { text: renderTemplate(template, 'f-string', inputs) };
    } catch (error) {
        return { error: { kind: 'missing', message: error.message } };
    }
});
