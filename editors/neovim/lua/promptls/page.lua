--- An answer of the server as lines, and the way between places in them and in the prompt.
---
--- Plain data: nothing here touches a window or a buffer. Rows and columns count from 0,
--- columns in bytes.

local M = {}

--- How offsets of the server become bytes of `text`.
function M.to_bytes(text, encoding)
  if encoding == 'utf-8' then
    return function(offset)
      return offset
    end
  end
  -- Other plugins may have made Neovim announce UTF-16 only.
  if vim.fn.has('nvim-0.11') == 1 then
    return function(offset)
      return vim.str_byteindex(text, encoding, offset, false)
    end
  end
  return function(offset)
    return vim.str_byteindex(text, offset, encoding == 'utf-16')
  end
end

--- The last of `starts`, which ascend, that is not above `offset`.
local function last_at_or_before(starts, offset)
  local low, high = 1, #starts
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if starts[middle] <= offset then
      low = middle
    else
      high = middle - 1
    end
  end
  return low
end

---@class promptls.Run
---@field from integer        -- the first byte in the text
---@field to integer          -- the byte behind the last one
---@field first integer[]     -- row and column of `from`
---@field last integer[]      -- row and column of `to`
---@field kind 'literal'|'value'|'escape'|'mixed'|'missing'
---@field source lsp.Range    -- in the prompt
---@field path string?        -- of the placeholder
---@field value lsp.Location? -- where its value is written
---@field via table[]?        -- fragments and loop items that led here

---@class promptls.Page
---@field lines string[]
---@field starts integer[]    -- the byte at which each line starts
---@field runs promptls.Run[] -- in the order of the text
---@field answer table

--- Row and column of a byte.
---@param page promptls.Page
local function place(page, offset)
  local index = last_at_or_before(page.starts, offset)
  -- Line breaks belong to no line.
  return { index - 1, math.min(offset - page.starts[index], #page.lines[index]) }
end

---@param answer table -- of `promptls/preview`; its runs get their places written into them
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return promptls.Page
function M.lay_out(answer, encoding)
  local text = answer.text
  local lines = vim.split(text, '\n', { plain = true })
  local starts, offset = {}, 0
  for index, line in ipairs(lines) do
    starts[index] = offset
    offset = offset + #line + 1
    lines[index] = line:gsub('\r$', '')
  end
  if #lines > 1 and lines[#lines] == '' then
    -- The last line ends; nothing follows it.
    table.remove(lines)
    table.remove(starts)
  end
  local page = { lines = lines, starts = starts, runs = answer.map, answer = answer }
  local byte = M.to_bytes(text, encoding)
  for _, run in ipairs(page.runs) do
    run.from, run.to = byte(run.output[1]), byte(run.output[2])
    run.first, run.last = place(page, run.from), place(page, run.to)
  end
  return page
end

--- The run at a place in the text.
---@param page promptls.Page
---@return promptls.Run?
function M.run_at(page, row, column)
  local start = page.starts[row + 1]
  if not start then
    return nil
  end
  local offset = start + column
  for _, run in ipairs(page.runs) do
    -- Something missing may leave no text at all.
    if run.from <= offset and offset < run.to or run.from == offset and run.kind == 'missing' then
      return run
    end
  end
  return page.runs[#page.runs]
end

local function is_before(row, column, position)
  return row < position.line or row == position.line and column < position.character
end

--- The runs that a place in the prompt leads to: several if it is inside a loop. The column
--- counts as the server does.
---@param page promptls.Page
---@return promptls.Run[]
function M.runs_of(page, row, column)
  return vim.tbl_filter(function(run)
    local source = run.source
    return not is_before(row, column, source.start) and is_before(row, column, source['end'])
  end, page.runs)
end

--- The row that follows a place in the prompt which leads to no text, such as the start of a
--- block.
---@param page promptls.Page
---@return integer?
function M.row_after(page, row, column)
  for _, run in ipairs(page.runs) do
    local start = run.source.start
    if not is_before(start.line, start.character, { line = row, character = column }) then
      return run.first[1]
    end
  end
end

--- The row of a literal run that stands for a row of the prompt.
---@param run promptls.Run
function M.row_of(run, row)
  return math.min(run.first[1] + row - run.source.start.line, run.last[1])
end

--- The place in the prompt that a place in a run comes from.
---@param run promptls.Run
---@return lsp.Range
function M.source_of(run, row, column)
  local start = run.source.start
  if run.kind ~= 'literal' then
    return { start = start, ['end'] = start }
  end
  -- Literal text is the same in both.
  local down = row - run.first[1]
  local character = down == 0 and start.character + column - run.first[2] or column
  local position = { line = start.line + down, character = character }
  return { start = position, ['end'] = position }
end

return M
