-- The very first prompt, when no server is running yet.
start()
equal('templates', { 'translation' }, lua("return vim.fn.getcompletion('Promptls new transl', 'cmdline')"))
lua([[
  local answers = { '', '', 'first.adk.prompt' }
  vim.ui.input = function(_, on_done)
    on_done(table.remove(answers, 1))
  end
]])
command('Promptls new translation')
wait('its preview', function()
  return (preview() or { text = '' }).text ~= ''
end)
equal('servers', 1, lua("return #vim.lsp.get_clients({ name = 'promptls' })"))
stop()

-- A prompt from a template: named or selected, with its arguments, and its preview.
file('mail.adk.prompt', 'Dear {customer},\n')
start()
edit('mail.adk.prompt')
attached()

equal('templates', { 'translation' }, lua("return vim.fn.getcompletion('Promptls new transl', 'cmdline')"))

lua([[
  local answers = { 'German', '', 'words.adk.prompt' }
  _G.asked = {}
  vim.ui.input = function(options, on_done)
    table.insert(_G.asked, options.prompt)
    on_done(table.remove(answers, 1))
  end
]])
command('Promptls new translation')
wait_for('the prompt', 'words.adk.prompt', function()
  return lua("return vim.fn.expand('%:t')")
end)
equal('questions', 3, lua('return #_G.asked'))
local text = table.concat(lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'), '\n')
contains('what was given', 'German', text)
contains('what was left empty', '{to}', text)
for _, path in ipairs({ 'words.adk.prompt', 'words.adk.variables.json', 'words.adk.inputs.json' }) do
  equal('saved: ' .. path, true, lua(('return vim.fn.getfsize(%q) > 0'):format(path)))
end
wait_for('the preview', true, function()
  return lua("return require('promptls.preview').prompt_in_tab() ~= nil")
end)

lua([[
  vim.ui.select = function(items, options, on_done)
    _G.listed = options.format_item(items[1])
    on_done(nil)
  end
]])
command('Promptls new')
wait_for('the list', true, function()
  return lua("return (_G.listed or ''):find(': ') ~= nil")
end)
