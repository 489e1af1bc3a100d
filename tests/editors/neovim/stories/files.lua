-- The server is attached to the files that it needs, and to no others.
start()

local function clients_of(path)
  return lua('return #vim.lsp.get_clients({ bufnr = vim.fn.bufnr(...) })', folder .. '/' .. path)
end

local function is_attached(path)
  file(path, '{}\n')
  edit(path)
  wait_for('the server of ' .. path, 1, function()
    return clients_of(path)
  end)
end

local function is_left_alone(path)
  file(path, '{}\n')
  edit(path)
  -- Attaching happens shortly after a file is opened; that of a later file comes later.
  is_attached(path .. '.prompt')
  equal('servers of ' .. path, 0, clients_of(path))
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

for _, path in ipairs({ 'b.inputs.json', 'b.adk.angry.inputs.yaml', 'b.c.inputs.toml', 'b.variables.yml', 'b.variables.toml', 'b.pack.json', 'b.pack.yaml', 'b.pack.yml' }) do
  is_attached(path)
end
for _, path in ipairs({ 'package.json', 'ci.yaml', 'README.md', 'a.prompt.md', 'Cargo.toml', 'notes.txt' }) do
  is_left_alone(path)
end

-- A promptls.toml can make any text a prompt and any JSON its inputs.
file('rules/promptls.toml', '[[prompts]]\nfiles = ["*.txt"]\ndialect = "adk"\ninputs = ["state.json"]\n')
for _, path in ipairs({ 'rules/notes.txt', 'rules/state.json', 'rules/README.md' }) do
  is_attached(path)
end

-- Also files that were opened before it was saved.
file('later/a.txt', 'Dear {customer}\n')
file('later/state.json', '{}\n')
edit('later/a.txt')
equal('servers of later/a.txt', 0, clients_of('later/a.txt'))
command('split later/promptls.toml')
type('i[[prompts]]<CR>files = ["*.txt"]<CR>dialect = "adk"<CR>inputs = ["state.json"]<Esc>:write<CR>')
wait_for_problems('the problem of what is a prompt by now', 'later/a.txt', { '1:7 undefined-placeholder' })
