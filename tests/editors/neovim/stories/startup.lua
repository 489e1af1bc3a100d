-- The plugin costs nothing before a prompt is opened.
start()
local loaded = [[
  return vim.tbl_filter(function(name)
    return vim.startswith(name, 'promptls')
  end, vim.tbl_keys(package.loaded))
]]
equal('modules at the start', {}, lua(loaded))
equal('the command', 2, lua("return vim.fn.exists(':Promptls')"))

file('notes.lua', 'return 1\n')
edit('notes.lua')
equal('modules with a file of another kind', {}, lua(loaded))
equal('servers', 0, lua('return #vim.lsp.get_clients()'))

-- A command that is typed before the server has started still works.
file('letter.adk.prompt', 'Dear {name},\n')
edit('letter.adk.prompt')
command('Promptls preview')
wait('the preview, asked for at once', function()
  return preview() and preview().text:find('Dear', 1, true)
end)
