-- `:Promptls engine`: the engine of a prompt, and the engines of its project.
file('mail.adk.prompt', 'Of {list}.\n')
file('mail.adk.inputs.json', '{"list": ["x", true]}\n')
file('uv.lock', '[[package]]\nname = "google-adk"\nversion = "2.13.0"\n')

start()
edit('mail.adk.prompt')
attached()
-- Wide enough for the whole bar.
lua('vim.o.columns = 280')
open_preview()
wait('what is shown', function()
  return preview().bar:find('Google ADK as documented', 1, true)
end)
wait_for_preview('the text', 'Of [x, true].')

local completion = lua("return vim.fn.getcompletion('Promptls engine ', 'cmdline')")
equal('what the project uses', 'adk-python@2.13', completion[1])
equal('as it was', 'none', completion[#completion])

command('Promptls engine adk-python@2.13')
wait('the engine', function()
  return preview().bar:find('ADK for Python 2.13, as in uv.lock', 1, true)
end)
wait_for_preview('the text', "Of ['x', True].")
wait_for('the rule', { '[[prompts]]', 'files = ["/mail.adk.prompt"]', 'engine = "adk-python@2.13"' }, function()
  return vim.fn.readfile(folder .. '/promptls.toml')
end)

-- Without a name, the user selects one.
lua([[
  vim.ui.select = function(items, options, on_choice)
    _G.offered = vim.tbl_map(options.format_item, items)
    on_choice(items[4])
  end
]])
command('Promptls engine')
wait('another engine', function()
  return preview().bar:find('ADK for Go 2.2, but uv.lock has google-adk 2.13.0', 1, true)
end)
local offered = lua('return _G.offered')
equal('the first', 'ADK for Python 2.13: uv.lock has google-adk 2.13.0', offered[1])
equal('the fourth', 'ADK for Go 2.2', offered[4])
equal('the last', 'none in the rule: the engine of the project, else as documented', offered[#offered])
command('Promptls engine none')
wait('that of the project', function()
  return preview().bar:find('ADK for Python 2.13, as in uv.lock', 1, true)
end)
wait_for_preview('the text', "Of ['x', True].")

command('Promptls engine adk-pyton')
wait_for_message('the advice', 'did you mean `adk-python`?')
