-- Cases: selected by name or from a list; their inputs opened and created.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.angry.inputs.yaml', 'customer: Bob\n')
file('mail.adk.empty.inputs.json', '{}\n')
file('mail.adk.prompt', 'Dear {customer},\n')
start()
edit('mail.adk.prompt')
attached()

-- The request is for cases, not for the whole text.
lua([[
  _G.questions = {}
  vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(event)
      local method = event.data.request.method
      if event.data.request.type == 'pending' and vim.startswith(method, 'promptls/') then
        table.insert(_G.questions, method)
      end
    end,
  })
]])
command('Promptls inputs')
wait_for('the inputs', 'mail.adk.inputs.json', function()
  return lua("return vim.fn.expand('%:t')")
end)
equal('what was asked', { 'promptls/cases' }, lua('return _G.questions'))
edit('mail.adk.prompt')
open_preview()

equal('subcommands', { 'browse', 'case', 'convert', 'diff', 'engine', 'ghosts', 'inputs', 'new', 'preview', 'restart', 'size', 'store' }, lua("return vim.fn.getcompletion('Promptls ', 'cmdline')"))
equal('cases', { 'angry' }, lua("return vim.fn.getcompletion('vertical Promptls case a', 'cmdline')"))

command('Promptls case angry')
wait_for_preview('the case', 'Dear Bob,')
contains('the bar', 'angry', preview().bar)

-- The engine's error is in the bar, and the text is below.
command('Promptls case empty')
wait_for_preview('what is left', 'Dear {customer},')
contains('the bar', '✗ Context variable not found', preview().bar)
contains('the bar', '1 error', preview().bar)
contains('the missing placeholder', 'PromptlsMissing {customer}', table.concat(preview().marks, '\n'))

-- Without a name, the user enters one; from the preview, too.
lua([[
  vim.ui.select = function(items, options, on_choice)
    _G.offered = vim.tbl_map(options.format_item, items)
    on_choice(items[1])
  end
]])
lua('vim.api.nvim_set_current_win(...)', preview().win)
command('Promptls case')
wait_for_preview('the first case', 'Dear Ada,')
local offered = lua('return _G.offered')
contains('the list', 'empty (1 error)', table.concat(offered, '\n'))
contains('the list', '* empty', table.concat(offered, '\n'))

-- The inputs of the case, in the window of the prompt.
command('Promptls inputs')
wait_for('the inputs', 'mail.adk.inputs.json', function()
  return lua("return vim.fn.expand('%:t')")
end)
equal('windows', 2, lua("return vim.fn.winnr('$')"))
command('vertical Promptls inputs angry')
wait_for('the inputs of another case', 'mail.adk.angry.inputs.yaml', function()
  return lua("return vim.fn.expand('%:t')")
end)
equal('windows with a split', 3, lua("return vim.fn.winnr('$')"))
command('quit')
command('buffer mail.adk.prompt')

-- A case that does not exist.
command('Promptls case calm')
wait_for_message('the advice', '`:Promptls inputs calm` creates it')
command('Promptls inputs calm')
wait_for('the new inputs', 'mail.adk.calm.inputs.json', function()
  return lua("return vim.fn.expand('%:t')")
end)
contains('the skeleton', '"customer"', lua("return table.concat(vim.fn.getline(1, '$'), '\\n')"))
wait_for('the cursor at the first value', 2, function()
  return lua("return vim.fn.line('.')")
end)
wait('the case that is filled in now', function()
  return preview().bar:find('calm', 1, true)
end)
equal('whether it is saved', false, lua('return vim.bo.modified'))
local handle = assert(io.open(folder .. '/mail.adk.calm.inputs.json'))
local written = handle:read('*a')
handle:close()
contains('what was written', '"customer"', written)
equal('its end', '}\n', written:match('}.*'))
type('A<Space><Esc>:write<CR>')
wait_for('what is typed to be saved', false, function()
  return lua('return vim.bo.modified')
end)

-- An error for a file that is no prompt.
type(':Promptls nonsense<CR>')
wait_for_message('the advice', 'there is no `:Promptls nonsense`; try browse, case, convert, diff, engine, ghosts, inputs, new, preview, restart, size')
file('notes.prompt.md', 'Dear {customer},\n')
edit('notes.prompt.md')
type(':only<CR>:Promptls preview<CR>')
wait_for_message('the advice', 'not running for `notes.prompt.md`')

-- Runtime values of the application are highlighted as such.
file('promptls.toml', "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['session']\n")
file('note.adk.inputs.json', '{}\n')
file('note.adk.prompt', 'In {session}\n')
edit('note.adk.prompt')
attached()
open_preview()
wait('the placeholder of the application', function()
  return table.concat(preview().marks, '\n'):find('PromptlsRuntime {session}', 1, true)
end)
