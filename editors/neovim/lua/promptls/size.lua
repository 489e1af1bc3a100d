--- The size of a prompt: tokens in the bar of the preview, and by placeholder in a float.

local api = vim.api
local bar = require('promptls.bar')
local highlights = require('promptls.highlights')
local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

local NAMESPACE = api.nvim_create_namespace('promptls.size')

--- `max_tokens`, `prefix.until` and its `path` are optional.
local DEPTH = 3

---@class promptls.Size
---@field case string?
---@field encoding string
---@field tokens integer
---@field maxTokens integer?
---@field literal { characters: integer, tokens: integer }
---@field placeholders { path: string, characters: integer, tokens: integer, count: integer }[]
---@field prefix { end: integer, tokens: integer, cacheable: boolean, cases: integer, until: { path: string?, source: lsp.Range }? }

--- The parameters of a request: the tokenizer and the case.
local function question(buf, case)
  return { case = case, encoding = server.setting(buf, 'size', 'encoding') }
end

--- Requests the size of a prompt; `on_answer(size, message, is_unknown)` as for `prompt.request`.
---@param case string?
---@param on_answer fun(size: promptls.Size?, message: string?, is_unknown: boolean)
---@return boolean # whether there is a server
function M.request(buf, case, on_answer)
  return prompt.request(buf, 'promptls/size', question(buf, case), on_answer, DEPTH)
end

---@param size promptls.Size
local function is_over(size)
  return size.maxTokens ~= nil and size.tokens > size.maxTokens
end

--- The end of the common prefix of all cases.
---@param size promptls.Size
local function prefix_end(size)
  local ending = size.prefix['until']
  if not ending then
    return 'all of it'
  end
  return 'up to ' .. (ending.path and '{' .. ending.path .. '}' or 'line ' .. ending.source.start.line + 1)
end

--- The text for the bar.
---@param size promptls.Size
---@return promptls.BarPart[]
function M.words(size)
  local tokens, most = bar.grouped(size.tokens), size.maxTokens and bar.grouped(size.maxTokens)
  local parts = {
    {
      group = is_over(size) and 'PromptlsOverBudget' or nil,
      most and ('%s / %s tokens'):format(tokens, most) or bar.counted(size.tokens, 'token'),
    },
  }
  if size.prefix.cacheable then
    local start = 'cacheable start ' .. bar.counted(size.prefix.tokens, 'token')
    table.insert(parts, { start .. ', ' .. prefix_end(size), start })
  end
  return parts
end

-- The float ----------------------------------------------------------------------------

---@param size promptls.Size
local function percentage(size, tokens)
  return ('%3.0f%%'):format(size.tokens > 0 and 100 * tokens / size.tokens or 0)
end

--- A table with words in the first column and numbers in the others.
local function aligned(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for index, cell in ipairs(row) do
      widths[index] = math.max(widths[index] or 0, vim.fn.strdisplaywidth(cell))
    end
  end
  return vim.tbl_map(function(row)
    local cells = {}
    for index, cell in ipairs(row) do
      local padding = (' '):rep(widths[index] - vim.fn.strdisplaywidth(cell))
      cells[index] = index == 1 and cell .. padding or padding .. cell
    end
    return (table.concat(cells, '  '):gsub('%s+$', ''))
  end, rows)
end

--- The number of cases with the same prefix, in words.
local function in_cases(count)
  if count < 2 then
    return ''
  end
  return (', the same in %s cases'):format(count == 2 and 'both' or 'all ' .. count)
end

---@param size promptls.Size
local function page_of(size)
  local tokens = bar.counted(size.tokens, 'token')
  if size.maxTokens then
    tokens = ('%s / %s tokens'):format(bar.grouped(size.tokens), bar.grouped(size.maxTokens))
  end
  local lines = { tokens .. (is_over(size) and ': too many' or ''), '' }
  local rows = {}
  for _, it in ipairs(size.placeholders) do
    local times = it.count > 1 and '×' .. it.count or ''
    table.insert(rows, { '{' .. it.path .. '}', bar.grouped(it.tokens), percentage(size, it.tokens), times })
  end
  local literal = size.literal.tokens
  table.insert(rows, { 'the prompt itself', bar.grouped(literal), percentage(size, literal), '' })
  vim.list_extend(lines, aligned(rows))
  table.insert(lines, '')
  if size.prefix.cacheable then
    local start = bar.counted(size.prefix.tokens, 'token')
    table.insert(lines, ('cacheable start %s, %s%s'):format(start, prefix_end(size), in_cases(size.prefix.cases)))
  end
  table.insert(lines, 'tokens of ' .. size.encoding)
  return lines
end

--- Shows the tokens of a prompt by placeholder, next to the cursor.
function M.float(buf)
  prompt.request_or_complain(buf, 'promptls/size', question(buf), function(size)
    highlights.define()
    local lines = page_of(size)
    local float = vim.lsp.util.open_floating_preview(lines, '', {
      border = 'rounded',
      title = ' ' .. (size.case or 'no inputs') .. ' ',
      focus_id = 'promptls.size',
    })
    local group = is_over(size) and 'PromptlsOverBudget' or 'PromptlsCase'
    local function highlight(row, width, name)
      api.nvim_buf_set_extmark(float, NAMESPACE, row, 0, { end_col = width, hl_group = name })
    end
    highlight(0, #lines[1], group)
    for index, it in ipairs(size.placeholders) do
      highlight(index + 1, #it.path + 2, 'PromptlsValue')
    end
    for row = #lines - 2, #lines - 1 do
      highlight(row, #lines[row + 1], 'Comment')
    end
  end, DEPTH)
end

return M
