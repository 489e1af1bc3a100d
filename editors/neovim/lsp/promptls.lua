-- The configuration of the server; change it with `vim.lsp.config('promptls', { … })`. On Neovim
-- 0.10, which does not have that function, use `vim.g.promptls = { … }`.

--- The filetypes of prompts: there is a file for each.
local filetypes = vim.tbl_map(function(path)
  return vim.fn.fnamemodify(path, ':t:r')
end, vim.api.nvim_get_runtime_file('ftplugin/prompt*.lua', true))
-- Filetypes of related files; `root_dir` selects the files that belong to prompts.
vim.list_extend(filetypes, { 'json', 'jsonc', 'yaml', 'toml', 'text', 'markdown' })
-- The filetypes of code that may contain prompts.
vim.list_extend(filetypes, require('promptls.hosts').FILETYPES)

return {
  cmd = { 'promptls', 'lsp' },
  filetypes = filetypes,
  root_dir = function(buf, on_dir)
    local root = require('promptls.files').root(buf)
    if root then
      on_dir(root)
    end
  end,
  capabilities = {
    -- Neovim counts in bytes, and so does the server.
    general = { positionEncodings = { 'utf-8', 'utf-16' } },
    -- Neovim supports it without announcing it. Without it, the server cannot create files.
    workspace = { workspaceEdit = { documentChanges = true } },
  },
  before_init = function(params, config)
    require('promptls.server').withdraw(params.capabilities)
    require('promptls.highlights').define_tokens(config.filetypes)
  end,
  init_options = { preview = true, hostSemanticTokens = true, commands = { 'promptls.openPreview', 'promptls.pickCase', 'promptls.diffStored' } },
  -- The preview follows each key press.
  flags = { debounce_text_changes = 0 },
  handlers = {
    ['promptls/previewChanged'] = function(_, params)
      require('promptls.server').changed(params.textDocument.uri)
    end,
  },
  -- The commands of code lenses.
  commands = {
    ['promptls.openPreview'] = function(command)
      require('promptls.preview').open(vim.uri_to_bufnr(command.arguments[1]))
    end,
    ['promptls.pickCase'] = function(command)
      require('promptls.cases').pick(vim.uri_to_bufnr(command.arguments[1]))
    end,
    ['promptls.diffStored'] = function(command)
      require('promptls.stores').act(vim.uri_to_bufnr(command.arguments[1]), 'diff', '')
    end,
    -- Executed by the server; recorded here for the next server.
    ['promptls.selectCase'] = function(command)
      local which = command.arguments[1]
      require('promptls.cases').select(vim.uri_to_bufnr(which.uri), which.case)
    end,
  },
}
