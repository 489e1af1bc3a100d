-- Code lenses open the preview and select the case; hints show values.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob"}\n')
file('mail.adk.prompt', 'Dear {customer},\n')
start()
edit('mail.adk.prompt')
attached()

lua([[
  vim.lsp.inlay_hint.enable(true)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true)
  else
    vim.lsp.codelens.refresh({ bufnr = 0 })
  end
  vim.ui.select = function(items, options, on_choice)
    local labels = vim.tbl_map(options.format_item or tostring, items)
    _G.offered = labels
    for index, item in ipairs(items) do
      if labels[index]:find(_G.lens, 1, true) or labels[index]:find('angry', 1, true) then
        return on_choice(item, index)
      end
    end
  end
]])

local function run_lens(title)
  lua('_G.lens = ...', title)
  wait('the lenses', function()
    return lua('return #vim.lsp.codelens.get(...)', is_0_10 and 0 or { bufnr = 0 }) > 0
  end)
  lua('vim.lsp.codelens.run()')
end

run_lens('Preview')
wait_for_preview('the preview', 'Dear Ada,')
run_lens('Case default')
wait_for_preview('the case that was chosen', 'Dear Bob,')
contains('the list of cases', '* default', table.concat(lua('return _G.offered'), '\n'))
wait('the value in that case as a hint', function()
  local hints = lua('return vim.lsp.inlay_hint.get({ bufnr = 0 })')
  return vim.inspect(hints):find('= Bob', 1, true)
end)
