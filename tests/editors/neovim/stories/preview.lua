-- The preview: a split that follows edits, and jumps to the source.
file('mail.agentle.inputs.json', '{\n  "user": {"name": "Ada"},\n  "items": ["pads", "cable"],\n  "nothing": ""\n}\n')
file('mail.agentle.prompt', 'Dear {{user.name}},\n\n{{#each items}}\n- {{this}}\n{{/each}}\nThat is all.\n')

local function text()
  return preview().text
end

local function marks()
  return preview().marks
end

start()
edit('mail.agentle.prompt')
attached()
local before = lua("return { vim.fn.winnr('$'), vim.fn.winnr() }")
local opened = open_preview()
equal('windows before', { 1, 1 }, before)
equal('the cursor stays in the prompt', 'mail.agentle.prompt', lua("return vim.fn.expand('%:t')"))
contains('the text', 'Dear Ada,', opened.text)
contains('the bar', 'default', opened.bar)
contains('the bar', 'words', opened.bar)
equal('a scratch buffer', { 'nofile', false, false, false }, lua(
  'local o = vim.bo[...] return { o.buftype, o.modifiable, o.swapfile, o.buflisted }',
  opened.buf
))
contains('a value', 'PromptlsValue Ada', table.concat(opened.marks, '\n'))

-- It follows every key press in insert mode.
type('gg0Cx {{user.n')
wait('the half-typed text', function()
  return vim.startswith(text(), 'x {{user.n\n')
end)
type('ame}}!')
wait('the finished text', function()
  return vim.startswith(text(), 'x Ada!\n')
end)
equal('insert mode goes on', 'i', lua('return vim.fn.mode()'))
type('<Esc>u')
wait('the text after undo', function()
  return vim.startswith(text(), 'Dear Ada,\n')
end)
equal('the undo history is that of the user', 0, lua('return vim.fn.undotree().seq_cur'))

-- The cursor in the prompt highlights its output, in each iteration of a loop.
type('/this<CR>')
wait('what the placeholder becomes', function()
  local lit = table.concat(marks(), '\n')
  return lit:find('PromptlsCursor pads', 1, true) and lit:find('PromptlsCursor cable', 1, true)
end)
type('/That<CR>')
wait('what the text becomes', function()
  return vim.tbl_contains(marks(), 'PromptlsCursorLine That is all.')
end)

-- An empty value is visible in its place.
type('GoNo {{nothing}}.<Esc>F{')
wait('the place of the empty value', function()
  return vim.tbl_contains(marks(), 'PromptlsCursor ⟨⟩')
end)
type('u')
wait('the text as it was', function()
  return not text():find('No ', 1, true)
end)

-- <CR> jumps to the placeholder, gd to the value.
lua('vim.api.nvim_set_current_win(...)', opened.win)
type('gg/cable<CR><CR>')
wait_for('the placeholder', { 'mail.agentle.prompt', 4, 3 }, function()
  return lua("return { vim.fn.expand('%:t'), vim.fn.line('.'), vim.fn.col('.') }")
end)
lua('vim.api.nvim_set_current_win(...)', opened.win)
type('G0ll<CR>')
wait_for('the place in the text', { 'mail.agentle.prompt', 6, 3 }, function()
  return lua("return { vim.fn.expand('%:t'), vim.fn.line('.'), vim.fn.col('.') }")
end)
lua('vim.api.nvim_set_current_win(...)', opened.win)
type('gg/cable<CR>gd')
wait_for('the value', { 'mail.agentle.inputs.json', 3 }, function()
  return lua("return { vim.fn.expand('%:t'), vim.fn.line('.') }")
end)
equal('keys of the user', '', lua("return vim.fn.maparg('<CR>', 'n')"))

-- It stays while the inputs are edited, and follows them, saved or not.
type('<Cmd>%s/cable/brake cable/<CR>')
wait('the new value', function()
  return text():find('- brake cable', 1, true)
end)
type('u')
file('mail.agentle.inputs.json', '{"user": {"name": "Bob"}, "items": []}\n')
reload()
wait('the values from disk', function()
  return vim.startswith(text(), 'Dear Bob,\n')
end)

-- It follows to another prompt, and closes with it.
file('other.adk.prompt', 'Nothing but text.\n')
edit('other.adk.prompt')
wait_for_preview('the other prompt', 'Nothing but text.')
contains('the bar without inputs', 'no inputs', preview().bar)
command('bdelete!')
wait('the preview to close', function()
  return preview() == nil
end)
