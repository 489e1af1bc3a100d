-- After a crash of the server, nothing is lost, and one command restarts it.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob"}\n')
file('mail.adk.prompt', 'Dear {customer},\n')
start()
edit('mail.adk.prompt')
attached()
open_preview()
type('ohello<Esc>')
wait_for_preview('what was typed', 'Dear Ada,\nhello')

local pid = lua([[
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  return children[1]
]])
vim.uv.kill(pid, 'sigkill')
wait('the bar to say so', function()
  return preview().bar:find('the server is not running; :Promptls restart', 1, true)
end)
equal('the text stays', 'Dear Ada,\nhello', preview().text)
equal('the prompt stays', { 'Dear {customer},', 'hello' }, lua("return vim.fn.getline(1, '$')"))
type('o{custommer}<Esc>')

command('Promptls restart')
attached()
wait_for_preview('the text that was typed meanwhile', 'Dear Ada,\nhello\n{custommer}')
wait_for_problems('its problem', 'mail.adk.prompt', { '3:2 undefined-placeholder' })
type('Sbye<Esc>')
wait_for_preview('what is typed afterwards', 'Dear Ada,\nhello\nbye')
command('write')
file('mail.adk.prompt', 'Dear {customer}!\n')
reload()
wait_for_preview('the prompt, read again', 'Dear Ada!')

-- Also while it runs.
local id = lua("return vim.lsp.get_clients({ name = 'promptls' })[1].id")
command('Promptls restart')
attached()
wait('another server', function()
  return lua("return vim.lsp.get_clients({ name = 'promptls' })[1].id") ~= id
end)
type('Sgone<Esc>')
wait_for_preview('the new text', 'gone')

-- Neovim's internal functions may be removed: then the next server receives the whole text.
lua([[
  package.loaded['vim.lsp._changetracking'] = {}
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    vim.uv.kill(pid, 'sigkill')
  end
]])
wait('the server to be gone', function()
  return lua("return #vim.lsp.get_clients({ name = 'promptls' })") == 0
end)
type('Smeanwhile<Esc>')
command('Promptls restart')
attached()
type('Safterwards<Esc>')
wait_for_preview('what is typed then', 'afterwards')

-- The selected case stays.
type('S{customer}<Esc>')
command('Promptls case angry')
wait_for_preview('the case', 'Bob')
command('Promptls restart')
wait_for_preview('the case after the restart', 'Bob')
contains('its name', 'angry', preview().bar)
