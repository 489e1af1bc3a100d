--- An answer of the server as lines, and the way between places in them and in the prompt.
---
--- Plain data: nothing here touches a window or a buffer. Rows and columns count from 0,
--- columns in bytes; offsets are those of the server, and become places only where they are
--- asked for. So a key that changes a few characters of a megabyte costs little more than to
--- move what stands behind them.

local units = require('promptls.units')

local M = {}

---@class promptls.Run
---@field output [integer, integer] -- where it stands in the text, and what is behind it
---@field kind 'literal'|'value'|'escape'|'mixed'|'missing'|'runtime'
---@field source lsp.Range    -- in the prompt
---@field path string?        -- of the placeholder
---@field value lsp.Location? -- where its value is written
---@field via table[]?        -- fragments and loop items that led here

---@class promptls.Page
---@field lines string[]      -- with what stands behind the last line break, and each `\r`
---@field starts integer[]    -- the offset at which each line starts
---@field runs promptls.Run[] -- in the order of the text
---@field is_in_order boolean -- whether that is the order of the prompt, too: there are no loops
---@field answer table        -- what else the server has said
---@field encoding promptls.Encoding

---@class promptls.PageChange
---@field first integer    -- the first row that was changed
---@field last integer     -- the row behind the last one, as it was
---@field lines string[]   -- what stands there now

--- The last index from `low` to `high` of which `is_it` holds; `low` if it holds of none. It must
--- hold of all before one that it holds of.
local function last_of(low, high, is_it)
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if is_it(middle) then
      low = middle
    else
      high = middle - 1
    end
  end
  return low
end

--- The index of the line that an offset is in.
---@param page promptls.Page
local function line_of(page, offset)
  local starts = page.starts
  return last_of(1, #starts, function(index)
    return starts[index] <= offset
  end)
end

--- Puts `new` in the place of the items from `first` to `last`.
local function splice(list, first, last, new)
  local old_count, moved = #list, #new - (last - first + 1)
  if moved > 0 then
    for index = old_count, last + 1, -1 do
      list[index + moved] = list[index]
    end
  elseif moved < 0 then
    for index = last + 1, old_count do
      list[index + moved] = list[index]
    end
    for index = old_count, old_count + moved + 1, -1 do
      list[index] = nil
    end
  end
  for index, item in ipairs(new) do
    list[first + index - 1] = item
  end
end

--- Where lines start, if the first of them does so at `offset`.
local function starts_from(offset, lines, encoding)
  local starts = {}
  for index, line in ipairs(lines) do
    starts[index] = offset
    offset = offset + units.width(line, encoding) + 1
  end
  return starts
end

--- How long a line is to show, in bytes.
local function width(line)
  local has_return = line:byte(-1) == 13
  return has_return and #line - 1 or #line
end

--- How many rows there are to show: nothing follows the end of the last line.
---@param page promptls.Page
local function height(page)
  local count = #page.lines
  return count > 1 and page.lines[count] == '' and count - 1 or count
end

--- The lines from one row to another, as they are shown.
---@param page promptls.Page
---@param last integer -- the row behind the last one
local function shown(page, first, last)
  local lines = {}
  for index = first + 1, math.min(last, height(page)) do
    local line = page.lines[index]
    table.insert(lines, line:sub(1, width(line)))
  end
  return lines
end

--- All lines, as they are shown.
---@param page promptls.Page
---@return string[]
function M.lines(page)
  return shown(page, 0, #page.lines)
end

local function is_before(row, column, position)
  return row < position.line or row == position.line and column < position.character
end

--- Whether runs come in the order of the prompt, from one index to another.
---@param runs promptls.Run[]
local function are_in_order(runs, first, last)
  for index = first, last - 1 do
    local run, next_run = runs[index].source, runs[index + 1].source
    local start, finish = next_run.start, next_run['end']
    if is_before(start.line, start.character, run.start) or is_before(finish.line, finish.character, run['end']) then
      return false
    end
  end
  return true
end

---@param answer table -- of `promptls/preview`
---@param encoding promptls.Encoding
---@return promptls.Page
function M.lay_out(answer, encoding)
  local lines = vim.split(answer.text, '\n', { plain = true })
  local starts = starts_from(0, lines, encoding)
  local page = { lines = lines, starts = starts, runs = answer.map, answer = answer, encoding = encoding }
  page.is_in_order = are_in_order(page.runs, 1, #page.runs)
  answer.text, answer.map = nil, nil
  return page
end

---@param page promptls.Page
---@return promptls.PageChange?
local function edit_text(page, edit)
  local start, finish = unpack(edit.range)
  if start == finish and edit.new == '' then
    return nil
  end
  local first, last, old_height = line_of(page, start), line_of(page, finish), height(page)
  local function byte(index, offset)
    return units.to_byte(page.lines[index], offset - page.starts[index], page.encoding)
  end
  local before = page.lines[first]:sub(1, byte(first, start))
  local behind = page.lines[last]:sub(byte(last, finish) + 1)
  local new = vim.split(before .. edit.new .. behind, '\n', { plain = true })
  local starts = starts_from(page.starts[first], new, page.encoding)
  splice(page.lines, first, last, new)
  splice(page.starts, first, last, starts)
  local moved = units.width(edit.new, page.encoding) - (finish - start)
  for index = first + #new, #page.starts do
    page.starts[index] = page.starts[index] + moved
  end
  return {
    first = first - 1,
    last = math.min(last, old_height),
    lines = shown(page, first - 1, first - 1 + #new),
  }
end

---@param page promptls.Page
local function edit_map(page, edit)
  local first, behind = unpack(edit.range)
  splice(page.runs, first + 1, behind, edit.runs)
  local units_moved, lines_moved = edit.moved.output, edit.moved.line
  local is_moved = units_moved ~= 0 or lines_moved ~= 0
  for index = first + #edit.runs + 1, is_moved and #page.runs or 0 do
    local run = page.runs[index]
    local output, source = run.output, run.source
    output[1], output[2] = output[1] + units_moved, output[2] + units_moved
    source.start.line = source.start.line + lines_moved
    source['end'].line = source['end'].line + lines_moved
  end
  -- The others were before, and are moved alike.
  local last = math.min(first + #edit.runs + 1, #page.runs)
  page.is_in_order = page.is_in_order and are_in_order(page.runs, math.max(first, 1), last)
end

--- Makes a page what the server says that has become of it.
---@param page promptls.Page
---@param answer table -- of `promptls/preview`, with `edits`
---@return promptls.PageChange? -- `nil` if all lines are as they were
function M.apply(page, answer)
  local change = edit_text(page, answer.edits.text)
  edit_map(page, answer.edits.map)
  page.answer, answer.edits = answer, nil
  return change
end

--- Row and column of an offset.
---@param page promptls.Page
local function place(page, offset)
  local index = line_of(page, offset)
  local line = page.lines[index]
  if index > height(page) then
    index, line, offset = index - 1, page.lines[index - 1], offset - 1
  end
  -- Line breaks belong to no line.
  local column = units.to_byte(line, offset - page.starts[index], page.encoding)
  return { index - 1, math.min(column, width(line)) }
end

--- Where a run starts and ends: row and column of both.
---@param page promptls.Page
---@param run promptls.Run
---@return [integer, integer] first
---@return [integer, integer] last
function M.place_of(page, run)
  return place(page, run.output[1]), place(page, run.output[2])
end

---@param run promptls.Run
function M.is_empty(run)
  return run.output[1] == run.output[2]
end

--- The index of the first run that ends at an offset or behind it.
---@param page promptls.Page
local function first_run(page, offset)
  local runs = page.runs
  -- The last one that ends before it, and one more.
  return last_of(0, #runs, function(index)
    return runs[index].output[2] < offset
  end) + 1
end

--- The runs that have to do with these rows, in their order; the first ones, if they are more
--- than `most`.
---@param page promptls.Page
---@return promptls.Run[]
function M.runs_between(page, first_row, last_row, most)
  -- What has no text may stand behind the last line break.
  local behind = last_row + 1 < height(page) and page.starts[last_row + 2] or math.huge
  local found = {}
  for index = first_run(page, page.starts[first_row + 1] or math.huge), #page.runs do
    local run = page.runs[index]
    if run.output[1] >= behind or #found == most then
      break
    end
    table.insert(found, run)
  end
  return found
end

--- The offset of a place.
---@param page promptls.Page
---@return integer?
local function offset_of(page, row, column)
  local line = page.lines[row + 1]
  return line and page.starts[row + 1] + units.width(line:sub(1, column), page.encoding)
end

--- The run at a place in the text.
---@param page promptls.Page
---@return promptls.Run?
function M.run_at(page, row, column)
  local offset = offset_of(page, row, column)
  if not offset then
    return nil
  end
  for index = first_run(page, offset), #page.runs do
    local run = page.runs[index]
    local from, to = unpack(run.output)
    if from > offset then
      break
    end
    -- Something missing may leave no text at all.
    if offset < to or from == offset and run.kind == 'missing' then
      return run
    end
  end
  return page.runs[#page.runs]
end

--- The runs that a place in the prompt leads to: several if it is inside a loop. The column
--- counts as the server does.
---@param page promptls.Page
---@return promptls.Run[]
function M.runs_of(page, row, column)
  local found, runs = {}, page.runs
  -- Without loops, those that end before the place come before all others.
  local first = not page.is_in_order and 1
    or last_of(0, #runs, function(index)
        local finish = runs[index].source['end']
        return not is_before(row, column, finish)
      end) + 1
  for index = first, #runs do
    local run = runs[index]
    local start, finish = run.source.start, run.source['end']
    if page.is_in_order and is_before(row, column, start) then
      break
    end
    -- Looked at for each key and each run: rows alone tell most of them.
    local has_row = start.line <= row and row <= finish.line
    if has_row and not is_before(row, column, start) and is_before(row, column, finish) then
      table.insert(found, run)
    end
  end
  return found
end

--- The row that follows a place in the prompt which leads to no text, such as the start of a
--- block.
---@param page promptls.Page
---@return integer?
function M.row_after(page, row, column)
  for _, run in ipairs(page.runs) do
    local start = run.source.start
    if not is_before(start.line, start.character, { line = row, character = column }) then
      return place(page, run.output[1])[1]
    end
  end
end

--- The row of a literal run that stands for a row of the prompt.
---@param page promptls.Page
---@param run promptls.Run
function M.row_of(page, run, row)
  local first, last = M.place_of(page, run)
  return math.min(first[1] + row - run.source.start.line, last[1])
end

--- The place in the prompt that a place in a run comes from.
---@param page promptls.Page
---@param run promptls.Run
---@return lsp.Range
function M.source_of(page, run, row, column)
  local start = run.source.start
  local position = start
  if run.kind == 'literal' then
    -- Literal text is the same in both.
    local down = row - place(page, run.output[1])[1]
    local offset = offset_of(page, row, column)
    local character = down == 0 and start.character + offset - run.output[1] or offset - page.starts[row + 1]
    position = { line = start.line + down, character = character }
    if not is_before(position.line, position.character, run.source['end']) then
      -- But not in a pack, where a line break is written as `\n`.
      position = start
    end
  end
  return { start = position, ['end'] = position }
end

return M
