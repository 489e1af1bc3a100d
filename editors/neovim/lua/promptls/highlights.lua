--- Colours, as links that colour schemes and users may replace.

local M = {}

local function link(groups)
  for name, target in pairs(groups) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

--- Of all that the server makes. A colour scheme clears links, so it is called for each use.
function M.define()
  link({
    PromptlsValue = 'String', -- from the inputs of the case
    PromptlsValueElsewhere = 'Special', -- from a default, a text file or another file
    PromptlsEscape = 'Comment', -- an escape, without what made it one
    PromptlsMixed = 'Type', -- of several origins at once
    PromptlsMissing = 'DiagnosticError', -- a placeholder that has no value
    PromptlsRuntime = 'Underlined', -- a placeholder that the application fills in
    PromptlsCursor = 'LspReferenceText', -- what the placeholder under the cursor becomes
    PromptlsCursorLine = 'CursorLine', -- what the text under the cursor becomes
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

--- What the server calls the parts of a placeholder, and how that is drawn. Most colour schemes,
--- that of Neovim among them, show these as plain text, because code is full of them. In prose,
--- they are what one looks for.
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

---@param filetypes string[] -- that the server is attached to
function M.define_tokens(filetypes)
  local is_code = require('promptls.hosts').is_code
  for _, filetype in ipairs(filetypes) do
    -- In code these are the tokens of its own server, too.
    for token, target in pairs(is_code(filetype) and {} or TOKENS) do
      link({ ['@lsp.type.' .. token .. '.' .. filetype] = target })
    end
  end
end

return M
