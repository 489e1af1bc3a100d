-- The page in the browser, opened from Neovim; `tests/page/editor.test.mjs` tests the page itself.
file('mail.adk.prompt', 'Dear {name},\n')
file('mail.adk.inputs.json', '{"name": "Ada"}\n')
file('two.pack.json', [[{"prompts": {
  "a": {"system_template": "A"},
  "b": {"system_template": "B"}
}}]])
-- The program that opens a browser receives a file that redirects to the page.
file('bin/xdg-open', '#!/bin/sh\necho "$1" >>"$OPENED"\n')
assert(vim.uv.fs_chmod(folder .. '/bin/xdg-open', 493))

start()
lua([[
  vim.env.OPENED = ...
  vim.env.PATH = vim.fs.dirname(...) .. '/bin:' .. vim.env.PATH
]], folder .. '/opened')
edit('mail.adk.prompt')
attached()
command('Promptls browse')
wait_for_message('the address', 'promptls: http://127.0.0.1:')
local function opened()
  local handle = io.open(folder .. '/opened')
  return handle and #vim.split(vim.trim(handle:read('*a')), '\n') or 0
end
wait_for('browsers', 1, opened)

-- Without a browser, one message contains the address and a request to open it.
lua([[
  _G.messages, _G.path = {}, vim.env.PATH
  vim.notify = function(text) table.insert(_G.messages, text) end
  -- Nothing is there but the program.
  vim.env.PATH = vim.fs.dirname(vim.fn.exepath('promptls'))
]])
command('Promptls browse')
wait('the address', function()
  return #lua('return _G.messages') > 0
end)
local messages = lua('return _G.messages')
equal('the messages', { 1, 1 }, { #messages, select(2, messages[1]:gsub('http://', '')) })
contains('the message', '/ (open it in a browser)', messages[1])
lua('vim.env.PATH = _G.path')

-- In a pack, the prompt at the cursor.
edit('two.pack.json')
attached()
type('2G')
command('Promptls browse')
wait_for('browsers', 2, opened)
local function serves_a(file)
  local handle = io.open(file)
  local words = handle and handle:read('*a') or ''
  return words:find('two.pack.json\0--prompt\0a\0', 1, true) ~= nil
end
local function served()
  return #vim.tbl_filter(serves_a, vim.fn.glob('/proc/[0-9]*/cmdline', true, true))
end
equal('programs that serve it', 1, served())
type(':qall!<CR>')
exit_code()
wait_for('programs that serve it', 0, served)
