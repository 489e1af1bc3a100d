-- The server is attached to what it has a use for, and to nothing else.
start()

local function clients_of(path)
  file(path, '{}\n')
  edit(path)
  -- Attaching happens a moment after the file is opened; a prompt opened next comes later.
  file('last.prompt', 'text\n')
  lua("vim.cmd.split('last.prompt')")
  attached()
  local clients = lua('return #vim.lsp.get_clients({ bufnr = vim.fn.bufnr(...) })', folder .. '/' .. path)
  lua("vim.cmd('silent! only | %bwipeout!')")
  return clients
end

for path, filetype in pairs({
  ['a.prompt'] = 'prompt',
  ['a.adk.prompt'] = 'prompt-adk',
  ['a.agentensemble.prompt'] = 'prompt-agentensemble',
  ['a.entaingine.prompt'] = 'prompt-entaingine',
  ['a.promptpack.prompt'] = 'prompt-promptpack',
  ['a.agentle.prompt'] = 'prompt-agentle',
  ['a.other.prompt'] = 'prompt',
  ['a.prompt.md'] = 'markdown',
}) do
  file(path, 'text\n')
  edit(path)
  equal('filetype of ' .. path, filetype, lua('return vim.bo.filetype'))
end
lua("vim.cmd('%bwipeout!')")

for _, path in ipairs({ 'b.inputs.json', 'b.adk.angry.inputs.yaml', 'b.variables.yml', 'b.pack.json' }) do
  equal('servers of ' .. path, 1, clients_of(path))
end
for _, path in ipairs({ 'package.json', 'ci.yaml', 'README.md', 'a.prompt.md', 'Cargo.toml', 'notes.txt' }) do
  equal('servers of ' .. path, 0, clients_of(path))
end

-- Where a promptls.toml says so, any text is a prompt and any JSON its inputs.
file('rules/promptls.toml', '[[prompts]]\nfiles = ["*.txt"]\ndialect = "adk"\ninputs = ["state.json"]\n')
for _, path in ipairs({ 'rules/notes.txt', 'rules/state.json', 'rules/promptls.toml' }) do
  equal('servers of ' .. path, 1, clients_of(path))
end
