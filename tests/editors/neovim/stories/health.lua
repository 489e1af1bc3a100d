-- `:checkhealth promptls` reports what is installed and what is missing.
local function health()
  command('checkhealth promptls')
  local report = lua("return table.concat(vim.fn.getline(1, '$'), '\\n')")
  command('bwipeout')
  return report
end

file('mail.adk.prompt', 'Dear customer,\n')
start()
local report = health()
contains('without a prompt', 'none is needed before a prompt is opened', report)

edit('mail.adk.prompt')
attached()
report = health()
contains('the program', 'bin/promptls`, version ', report)
contains('the client', folder, report)
contains('the file', 'mail.adk.prompt (prompt-adk)', report)
for _, word in ipairs({ 'ERROR', 'WARN' }) do
  equal(word, nil, report:match(word .. '[^\n]*'))
end
stop()

-- The program is missing: reported once, with instructions.
start([[
  vim.opt.shortmess:append('F')
  vim.notify = function(text) _G.said = (_G.said or '') .. text end
]] .. plugin("{ cmd = { '/nowhere/promptls', 'lsp' } }"))
edit('mail.adk.prompt')
contains('the message', 'the program `/nowhere/promptls` was not found', lua('return _G.said'))
contains('the message', 'cargo install --locked --path server', lua('return _G.said'))
local said = lua('return _G.said')
edit('other.prompt')
equal('the message, a second time', said, lua('return _G.said'))
report = health()
contains('the report', '`/nowhere/promptls` was not found', report)
contains('the report', 'Or set its path:', report)
stop()

-- Another version.
vim.fn.mkdir(folder .. '/bin', 'p')
file('bin/promptls', '#!/bin/sh\necho promptls 0.0.1\n')
vim.uv.fs_chmod(folder .. '/bin/promptls', 493)
start(('vim.opt.runtimepath:append(%q)\nvim.env.PATH = %q .. vim.env.PATH\n'):format(
  root .. '/editors/neovim',
  folder .. '/bin:'
))
report = health()
contains('the report', 'is version 0.0.1, this plugin', report)
if not is_0_10 then
  lua("vim.lsp.enable('promptls', false)")
  contains('the report', "It was disabled by vim.lsp.enable('promptls', false).", health())
  -- Neovim reports no problems with the configuration of the server.
  lua("vim.lsp.enable('promptls')")
  command('checkhealth vim.lsp')
  local told = lua("return table.concat(vim.fn.getline(1, '$'), '\\n')")
  contains('what Neovim says of the server', 'prompt-adk', told)
  equal('an unknown file type', nil, told:match('Unknown filetype[^\n]*'))
end
