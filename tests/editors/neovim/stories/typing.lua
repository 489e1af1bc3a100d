-- Automatic closing after the cursor while the user types, and formatting, with Neovim's own
-- functions.
file('note.agentle.prompt', 'Dear\n')
file('note.adk.prompt', 'Dear { name },\n')
file('note.adk.inputs.json', '{"name":"Ada"}\n')
start()
edit('note.agentle.prompt')
attached()

local function line()
  return lua('return vim.api.nvim_get_current_line()')
end

-- Since Neovim 0.12, and only if the user has enabled it.
if lua('return vim.lsp.on_type_formatting ~= nil') then
  lua('vim.lsp.on_type_formatting.enable()')
  type('cc{{')
  wait_for('the braces are closed', '{{}}', line)
  type('#if x')
  wait_for('typing goes on between them', '{{#if x}}', line)
  type('}')
  wait_for('a brace that came by itself is typed', 1, function()
    return lua('return vim.api.nvim_win_get_cursor(0)[2] == 8 and vim.api.nvim_get_current_line() == "{{#if x}}" and 1 or 0')
  end)
  type('}')
  wait_for('the block is closed', '{{#if x}}{{/if}}', line)
  type('yes')
  wait_for('typing goes on inside of it', '{{#if x}}yes{{/if}}', line)
  type('<Esc>u')
  wait_for('all of it is undone', 'Dear', line)
end

edit('note.adk.prompt')
attached()
lua('vim.lsp.buf.format()')
wait_for('the prompt is formatted', 'Dear {name},', line)
edit('note.adk.inputs.json')
attached()
lua('vim.lsp.buf.format()')
wait_for('the inputs are formatted', '{"name": "Ada"}', line)
