--- Highlights headings, fences, lists and `<tags>` of prompts, below the highlights of
--- placeholders, with Neovim's Markdown parser. Also determines where spelling is checked.

local api = vim.api
local long_lines = require('promptls.long_lines')

local M = {}

local NAMESPACE = api.nvim_create_namespace('promptls.markdown')

--- Above this size, in bytes, nothing is parsed.
local MOST_BYTES = 256 * 1024

--- Above those of Tree-sitter (100), which enables spelling in a whole paragraph, and below those
--- of the server (125).
local PRIORITY = 110

---@type table<integer, true>
local shown, is_listening = {}, false

---@param pattern string -- a Lua pattern
local function mark(buf, row, line, pattern, options)
  local init = 1
  while true do
    local first, last = line:find(pattern, init)
    if not first then
      return
    end
    local all = { end_row = row, end_col = last, ephemeral = true, priority = PRIORITY }
    api.nvim_buf_set_extmark(buf, NAMESPACE, row, first - 1, vim.tbl_extend('error', all, options))
    init = last + 1
  end
end

--- Highlights what the parser does not: for a tag, it treats all text up to the next empty line as
--- HTML.
local function draw_line(_, _, buf, row)
  local line = api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  if #line <= long_lines.LONGEST then
    mark(buf, row, line, '</?%a[%w_:.-]*[^<>{}]*>', { hl_group = 'PromptlsTag', spell = false })
    mark(buf, row, line, '{[^{}]*}', { spell = false })
  end
end

local function listen()
  local provider = {
    on_win = function(_, _, buf)
      return shown[buf] == true
    end,
    on_line = draw_line,
  }
  -- Used by `]s`. This is internal to Neovim, and may be removed.
  local with_spelling = vim.tbl_extend('error', provider, {
    _on_spell_nav = function(_, win, buf, first, _, last)
      for row = first, shown[buf] and last or -1 do
        draw_line('line', win, buf, row)
      end
    end,
  })
  if not pcall(api.nvim_set_decoration_provider, NAMESPACE, with_spelling) then
    api.nvim_set_decoration_provider(NAMESPACE, provider)
  end
end

--- Whether parsing would be noticeable: for each key press, it parses a whole paragraph.
local function is_large(buf)
  return api.nvim_buf_get_offset(buf, api.nvim_buf_line_count(buf)) > MOST_BYTES or long_lines.is_in(buf)
end

---@type table<string, string>? -- by the names of the parsers
local queries

--- The highlight queries of the parsers, without those that conceal Markdown syntax: the whole
--- prompt is sent, and ghost values would also conceal the brackets of `[date]`.
local function queries_that_hide_nothing()
  if not queries then
    queries = {}
    for _, lang in ipairs({ 'markdown', 'markdown_inline' }) do
      local files = vim.treesitter.query.get_files(lang, 'highlights')
      local lines = vim.iter(files):map(vim.fn.readfile):flatten():join('\n')
      queries[lang] = lines:gsub('(#set![^)\n]-%s)conceal', '%1shown')
    end
  end
  return queries
end

--- Enables the highlights in a buffer.
function M.start(buf)
  require('promptls.highlights').define()
  if not is_listening then
    is_listening = true
    listen()
    api.nvim_create_autocmd({ 'BufDelete', 'BufWipeout' }, {
      group = api.nvim_create_augroup('promptls.markdown', {}),
      callback = function(event)
        shown[event.buf] = nil
      end,
    })
  end
  shown[buf] = true
  -- Neovim may be built without the parsers, and later releases may remove these functions.
  if not is_large(buf) then
    pcall(function()
      local parser = vim.treesitter.get_parser(buf, 'markdown')
      vim.treesitter.highlighter.new(parser, { queries = queries_that_hide_nothing() })
    end)
  end
end

--- Disables the highlights in a buffer.
function M.stop(buf)
  shown[buf] = nil
  vim.treesitter.stop(buf)
end

return M
