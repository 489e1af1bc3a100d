--- Highlight groups, as links that colour schemes and users can override.

local M = {}

local function link(groups)
  for name, target in pairs(groups) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

--- Defines the groups. A colour scheme clears links, so this is called for each use.
function M.define()
  link({
    PromptlsValue = 'String', -- from the inputs of the case
    PromptlsValueElsewhere = 'Special', -- from a default, a text file or another file
    PromptlsEscape = 'Comment', -- an escape, without what made it one
    PromptlsMixed = 'Type', -- of several origins
    PromptlsMissing = 'DiagnosticError', -- a placeholder that has no value
    PromptlsRuntime = 'Underlined', -- a placeholder that the application fills in
    PromptlsCursor = 'LspReferenceText', -- the output of the placeholder under the cursor
    PromptlsCursorLine = 'CursorLine', -- the line of the output of the text under the cursor
    PromptlsCase = 'Title',
    PromptlsFailure = 'DiagnosticError',
    PromptlsStale = 'DiagnosticWarn',
    PromptlsOverBudget = 'DiagnosticError', -- more tokens than `promptls.toml` allows
    PromptlsGhost = 'PromptlsValue', -- a value in the place of its placeholder
    PromptlsGhostMissing = 'PromptlsMissing',
    PromptlsGhostRuntime = 'PromptlsRuntime',
    PromptlsTag = '@tag', -- `<tags>` in a prompt
  })
end

--- The highlight groups for the server's tokens of a placeholder. Most colour schemes, including
--- Neovim's default, show these as plain text, because they are frequent in code. In prose, they
--- must stand out.
local TOKENS = {
  operator = 'Special',
  namespace = 'Special',
  keyword = 'Special',
  variable = 'Identifier',
  property = 'Identifier',
  parameter = 'Identifier',
  number = 'Identifier',
  macro = 'Function',
}

---@param filetypes string[] -- of the attached buffers
function M.define_tokens(filetypes)
  local is_code = require('promptls.hosts').is_code
  for _, filetype in ipairs(filetypes) do
    -- In code, these are also tokens of the language's own server.
    for token, target in pairs(is_code(filetype) and {} or TOKENS) do
      link({ ['@lsp.type.' .. token .. '.' .. filetype] = target })
    end
  end
end

return M
