// @promptpack/langchain: its template engine, with the calls of the package in their order.

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
        // The message about an invalid pattern comes from the language.
        return { error: error instanceof SyntaxError ? { kind: 'engine' } : { message: error.message } };
    }
});
