-- `:Promptls convert`: a prompt in another dialect, with its inputs.
file('mail.adk.prompt', 'Dear {user:name},\n')
file('mail.adk.inputs.json', '{"user:name": "Ada"}\n')
file('list.adk.prompt', 'Of {list}.\n')
file('list.adk.inputs.json', '{"list": ["x"]}\n')
start()
edit('list.adk.prompt')
attached()

local completion = lua("return vim.fn.getcompletion('Promptls convert ', 'cmdline')")
contains('completion', 'agentle', table.concat(completion, ' '))
equal('how many', 6, #completion)
command('Promptls convert promptpack')
wait_for_message('the reason', 'in case `default`, something else would be sent')
command('Promptls convert handlebars')
wait_for_message('the reason', 'there is no such dialect')

edit('mail.adk.prompt')
attached()
command('Promptls convert agentensemble')
wait_for('the prompt', 'mail.agentensemble.prompt', function()
  return lua("return vim.fn.expand('%:t')")
end)
equal('its text', { 'Dear {user_name},' }, lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'))
wait_for('its inputs', { '{"user_name": "Ada"}' }, function()
  return vim.fn.filereadable(folder .. '/mail.agentensemble.inputs.json') == 1
    and vim.fn.readfile(folder .. '/mail.agentensemble.inputs.json')
end)
wait_for('saved', { 'Dear {user_name},' }, function()
  return vim.fn.readfile(folder .. '/mail.agentensemble.prompt')
end)

-- Without a name, one chooses.
lua([[
  vim.ui.select = function(items, _, on_choice)
    on_choice(vim.tbl_contains(items, 'langfuse') and 'langfuse')
  end
]])
edit('mail.adk.prompt')
command('Promptls convert')
wait_for('the prompt', 'mail.langfuse.prompt', function()
  return lua("return vim.fn.expand('%:t')")
end)
