-- Rename through all files of a prompt, and code actions.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob"}\n')
file('mail.adk.prompt', 'Dear {customer}, good {custommer}\n')
start()
edit('mail.adk.prompt')
attached()

local function can(capability)
  local provider = lua('return vim.lsp.get_clients({ bufnr = 0 })[1].server_capabilities[...]', capability)
  return provider ~= vim.NIL and provider ~= nil
end

if can('codeActionProvider') then
  wait_for_problems('the misspelt name', 'mail.adk.prompt', { '1:24 undefined-placeholder' })
  type('/mm<CR>')
  lua([[
    vim.lsp.buf.code_action({
      apply = true,
      filter = function(action) return action.title:find('`customer`', 1, true) ~= nil end,
    })
  ]])
  wait_for('the change', 'Dear {customer}, good {customer}', function()
    return lua('return vim.fn.getline(1)')
  end)
end

if can('renameProvider') then
  type('0fm')
  lua("vim.lsp.buf.rename('client')")
  wait('the new name in the prompt', function()
    return lua('return vim.fn.getline(1)'):find('Dear {client},', 1, true)
  end)
  for path, text in pairs({
    ['mail.adk.inputs.json'] = '{"client": "Ada"}',
    ['mail.adk.angry.inputs.json'] = '{"client": "Bob"}',
  }) do
    wait_for('the new name in ' .. path, text, function()
      return lua('return vim.fn.getbufline(vim.fn.bufnr(...), 1)[1] or ""', folder .. '/' .. path)
    end)
  end
  wait_for_message('what is said of it', 'promptls: changed mail.adk.angry.inputs.json and mail.adk.inputs.json;')
  equal('how often', 1, select(2, messages():gsub('\n?[^\n]+', '')))
  -- Neovim leaves the files unsaved; meanwhile there are no problems.
  wait_for('no problem of the new name', {}, function()
    return vim.tbl_filter(function(problem)
      return vim.startswith(problem, '1:7')
    end, problems('mail.adk.prompt'))
  end)
end
