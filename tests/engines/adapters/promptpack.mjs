// @promptpack/langchain: its template engine, in the order in which the package calls it.

import { createRequire } from 'node:module';
import { answer } from './alone.mjs';

const require = createRequire(import.meta.url);
const { PromptPackTemplateEngine } = require(`${process.argv[2]}/dist/template-engine.js`);
const engine = new PromptPackTemplateEngine({ version: 'v1', syntax: '{{variable}}' });

await answer((template, inputs, declarations) => {
    try {
        const variables = engine.applyDefaults(declarations.variables, inputs);
        engine.validateVariables(declarations.variables, variables);
        return { text: engine.render(template, { variables, fragments: declarations.fragments }) };
    } catch (error) {
        // The message of a pattern that is none is the language's.
        return { error: error instanceof SyntaxError ? { kind: 'engine' } : { message: error.message } };
    }
});
