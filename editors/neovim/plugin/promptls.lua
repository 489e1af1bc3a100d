-- Costs nothing at startup: modules are loaded when the command is used or a file is opened.

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

-- For a folder that is added to the runtime path later, filetypes are detected from here.
vim.cmd.runtime('ftdetect/promptls.lua')

-- Neovim 0.10 has no `vim.lsp.enable`, so the server is started here. Later releases start it, but
-- do not report a missing program.
local patterns = { 'prompt', 'prompt-*' }
if vim.lsp.enable then
  vim.lsp.enable('promptls')
else
  vim.list_extend(patterns, { 'json', 'jsonc', 'yaml', 'toml', 'text', 'markdown' })
  vim.list_extend(patterns, { 'python', 'java', 'kotlin', 'go', 'typescript*', 'javascript*' })
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

vim.api.nvim_create_autocmd('BufWritePost', {
  group = group,
  pattern = { '*.py', '*.java', '*.kt', '*.kts', '*.go', '*.ts', '*.tsx', '*.js', '*.mjs', '*.jsx' },
  callback = function(event)
    require('promptls.server').written(event.buf)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'promptls' then
      require('promptls.server').attached(event.buf)
      require('promptls.cases').attach(event.buf)
      require('promptls.cursor').attach(event.buf)
      require('promptls.ghosts').attach(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('LspRequest', {
  group = group,
  callback = function(event)
    -- Before the server was started, it is a request of another server.
    if package.loaded['promptls.server'] then
      require('promptls.elsewhere').requested(event.data)
    end
  end,
})

-- `:write NAME` in an unnamed buffer causes the events of a new buffer.
vim.api.nvim_create_autocmd({ 'BufFilePost', 'BufAdd' }, {
  group = group,
  callback = function(event)
    vim.schedule(function()
      local server = package.loaded['promptls.server']
      if server and vim.api.nvim_buf_is_loaded(event.buf) then
        server.renamed(event.buf)
      end
    end)
  end,
})

-- A session stores only the name of a preview's window.
vim.api.nvim_create_autocmd('SessionLoadPost', {
  group = group,
  callback = function()
    require('promptls.session').restore()
  end,
})
