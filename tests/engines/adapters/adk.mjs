// @google/adk: `injectSessionState`, with a session whose state is the inputs, and artifacts from
// them.

import { answer, importAlone } from './alone.mjs';

const { injectSessionState } = await importAlone(`${process.argv[2]}/dist/esm/agents/instructions.js`);

await answer(async (template, inputs) => {
    const artifactService = {
        async loadArtifact({ filename }) {
            const name = `artifact.${filename}`;
            const text = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
            return typeof text === 'string' ? { text } : undefined;
        },
    };
    const session = { state: inputs, appName: 'app', userId: 'user', id: 'session' };
    try {
        const context = { invocationContext: { session, artifactService } };
        return { text: await injectSessionState(template, context) };
    } catch (error) {
        return { error: { kind: 'missing', message: error.message } };
    }
});
