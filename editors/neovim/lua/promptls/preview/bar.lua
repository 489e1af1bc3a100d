--- The bar above a preview: its case, its problems, its size and its engine.

local api = vim.api
local bar = require('promptls.bar')
local cases = require('promptls.cases')
local engine = require('promptls.engine')
local size = require('promptls.size')

local M = {}

local function human_size(stats)
  local bytes = stats.bytes < 1000 and stats.bytes .. ' B'
    or stats.bytes < 1e6 and ('%.1f kB'):format(stats.bytes / 1e3)
    or ('%.1f MB'):format(stats.bytes / 1e6)
  return ('%s, %d word%s'):format(bytes, stats.words, stats.words == 1 and '' or 's')
end

local function tally(answer)
  local counts = { error = 0, warning = 0 }
  for _, problem in ipairs(answer.problems) do
    counts[problem.severity] = (counts[problem.severity] or 0) + 1
  end
  return cases.tally(counts.error, counts.warning)
end

--- A problem of the whole text.
---@param preview promptls.Preview
---@return promptls.BarPart?
local function trouble(preview)
  local answer = preview.page and preview.page.answer
  local warning = preview.message or answer and answer.stale and 'out of date: ' .. answer.stale
  if warning then
    return { group = 'PromptlsStale', warning }
  elseif not answer then
    return { group = 'PromptlsStale', 'waiting for the server' }
  elseif answer.error then
    return { group = 'PromptlsFailure', '✗ ' .. answer.error.message }
  end
end

--- The case, and in a pack also the prompt.
local function title_of(answer)
  local case = answer.case or 'no inputs'
  return answer.task and answer.task .. ' · ' .. case or case
end

--- The bar of a window with a width of `width` columns.
---@param preview promptls.Preview
local function bar_of(preview, width)
  local answer = preview.page and preview.page.answer
  if not answer then
    return bar.compose(width, '', trouble(preview), {})
  end
  local parts = {}
  local problems = tally(answer)
  if problems ~= '' then
    table.insert(parts, { group = 'PromptlsStale', problems })
  end
  vim.list_extend(parts, preview.size and size.words(preview.size) or {})
  table.insert(parts, { human_size(answer.stats) })
  vim.list_extend(parts, engine.words(preview.engine))
  return bar.compose(width, title_of(answer), trouble(preview), parts)
end

---@param preview promptls.Preview
function M.draw(preview)
  for _, win in ipairs(vim.fn.win_findbuf(preview.buf)) do
    vim.wo[win][0].winbar = bar_of(preview, api.nvim_win_get_width(win))
  end
end

return M
