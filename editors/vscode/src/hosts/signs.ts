/**
 * Signs that code or data has prompts. Written by a test from the tables of the server:
 * `tests/tests/stories/library/signs.rs`.
 */

/** The languages of code. */
export const languages = ['go', 'java', 'javascript', 'javascriptreact', 'kotlin', 'python', 'typescript', 'typescriptreact'];

/** Code with prompts has one of these. */
export const codeSigns = ['@google/adk', 'agentle', 'com.paragon.prompts', 'crewai', 'google.adk', 'google.golang.org/adk', 'langchain', 'langfuse', 'language=prompt-', 'llama_index', 'llamaindex', 'net.agentensemble', 'promptls:'];

/** Nearly all data with prompts has one of these. */
export const dataSigns = ['\ninstruction:', 'AgentConfig.json', 'PromptConfig', 'adk_inject_state', 'agent_class', 'backstory:', 'expected_output:', 'kind: Persona', 'language=prompt-', 'promptls:', 'system_template', 'template_engine'];

/** What frameworks are called in manifests. */
export const manifestSigns = ['@google/adk', '@langchain/core', '@promptpack/langchain', 'agentle', 'com.google.adk', 'crewai', 'google-adk', 'google.golang.org/adk', 'io.github.paragon-intelligence', 'langchain', 'langchain-core', 'langfuse', 'llama-index', 'llama-index-core', 'net.agentensemble', 'promptpack-langchain'];

/** The files that list what a project uses; `*` is anything. */
export const manifests = ['Pipfile', 'build.gradle', 'build.gradle.kts', 'go.mod', 'libs.versions.toml', 'package.json', 'pom.xml', 'pyproject.toml', 'requirements*.txt', 'setup.cfg', 'setup.py'];
