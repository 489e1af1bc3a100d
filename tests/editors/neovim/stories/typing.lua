-- Formatting, which is Neovim's own.
file('note.adk.prompt', 'Dear { name },\n')
file('note.adk.inputs.json', '{"name":"Ada"}\n')
start()

local function line()
  return lua('return vim.api.nvim_get_current_line()')
end

edit('note.adk.prompt')
attached()
lua('vim.lsp.buf.format()')
wait_for('the prompt is formatted', 'Dear {name},', line)
edit('note.adk.inputs.json')
attached()
lua('vim.lsp.buf.format()')
wait_for('the inputs are formatted', '{"name": "Ada"}', line)
