-- Costs nothing at start: modules are loaded when the command is used or a file is opened.

if vim.g.loaded_promptls then
  return
end
vim.g.loaded_promptls = true

vim.api.nvim_create_user_command('Promptls', function(call)
  require('promptls.command').run(call)
end, {
  nargs = '*',
  bar = true,
  desc = 'Preview, cases, inputs and size of a prompt',
  complete = function(typed, line)
    return require('promptls.command').complete(typed, line)
  end,
})

-- Neovim 0.10 has no `vim.lsp.enable`, so there the server is started from here. Later ones
-- start it, but say nothing if its program is missing.
local patterns = { 'prompt', 'prompt-*' }
if vim.fn.has('nvim-0.11') == 0 then
  vim.list_extend(patterns, { 'json', 'jsonc', 'yaml', 'toml', 'text', 'markdown' })
end
local group = vim.api.nvim_create_augroup('promptls.start', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = patterns,
  callback = function(event)
    require('promptls.server').opened(event.buf)
  end,
})
vim.api.nvim_create_autocmd('BufWritePost', {
  group = group,
  pattern = 'promptls.toml',
  callback = function()
    require('promptls.server').configured()
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'promptls' then
      require('promptls.cursor').attach(event.buf)
      require('promptls.ghosts').attach(event.buf)
    end
  end,
})
