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
---@field text promptls.TextChange? -- `nil` if all lines are as they were
---@field removed promptls.Run[]    -- runs that are gone
---@field first integer             -- the index of the first new run
---@field last integer              -- the index of the last new run

---@class promptls.TextChange
---@field first [integer, integer] -- row and column of what was changed
---@field last [integer, integer]  -- what is behind it, as it was
---@field lines string[]           -- what stands there now

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

--- Puts `new` in the place of the items from `first` to `last`, which it hands back.
local function splice(list, first, last, new)
  local old_count, moved = #list, #new - (last - first + 1)
  local removed = vim.list_slice(list, first, last)
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
  return removed
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

--- All lines, as they are shown.
---@param page promptls.Page
---@return string[]
function M.lines(page)
  local lines = {}
  for index = 1, height(page) do
    local line = page.lines[index]
    lines[index] = line:sub(1, width(line))
  end
  return lines
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

--- The text from one place to another, as it is shown.
---@param page promptls.Page
local function text_between(page, first, last)
  local lines = {}
  for row = first[1], last[1] do
    local line = page.lines[row + 1]
    local start = row == first[1] and first[2] + 1 or 1
    table.insert(lines, line:sub(start, row == last[1] and last[2] or width(line)))
  end
  return lines
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

local function is_place_before(a, b)
  return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
end

---@param page promptls.Page
---@return promptls.TextChange?
local function edit_text(page, edit)
  local start, finish = unpack(edit.range)
  if start == finish and edit.new == '' then
    return nil
  end
  local old_first, old_last = place(page, start), place(page, finish)
  local first, last = line_of(page, start), line_of(page, finish)
  local function byte(index, offset)
    return units.to_byte(page.lines[index], offset - page.starts[index], page.encoding)
  end
  local before = page.lines[first]:sub(1, byte(first, start))
  local behind = page.lines[last]:sub(byte(last, finish) + 1)
  local new = vim.split(before .. edit.new .. behind, '\n', { plain = true })
  local starts = starts_from(page.starts[first], new, page.encoding)
  splice(page.lines, first, last, new)
  splice(page.starts, first, last, starts)
  local length = units.width(edit.new, page.encoding)
  local moved = length - (finish - start)
  for index = first + #new, #page.starts do
    page.starts[index] = page.starts[index] + moved
  end
  -- What follows a `\r` or the last line break decides whether it is shown.
  local new_first = place(page, start)
  local shown_first = is_place_before(new_first, old_first) and new_first or old_first
  return { first = shown_first, last = old_last, lines = text_between(page, shown_first, place(page, start + length)) }
end

---@param page promptls.Page
---@return promptls.Run[] removed
local function edit_map(page, edit)
  local first, behind = unpack(edit.range)
  local removed = splice(page.runs, first + 1, behind, edit.runs)
  local moved = edit.moved
  local from, output_moved, lines_moved = moved.from, moved.output, moved.line
  local function move(position)
    if not is_before(position.line, position.character, from) then
      if position.line == from.line then
        position.character = position.character + moved.character
      end
      position.line = position.line + lines_moved
    end
  end
  local is_moved = output_moved ~= 0 or lines_moved ~= 0 or moved.character ~= 0
  for index = first + #edit.runs + 1, is_moved and #page.runs or 0 do
    local run = page.runs[index]
    local output, source = run.output, run.source
    output[1], output[2] = output[1] + output_moved, output[2] + output_moved
    move(source.start)
    move(source['end'])
  end
  -- The others were before, and are moved alike.
  local last = math.min(first + #edit.runs + 1, #page.runs)
  page.is_in_order = page.is_in_order and are_in_order(page.runs, math.max(first, 1), last)
  return removed
end

--- Makes a page what the server says that has become of it.
---@param page promptls.Page
---@param answer table -- of `promptls/preview`, with `edits`
---@return promptls.PageChange
function M.apply(page, answer)
  local map = answer.edits.map
  local text = edit_text(page, answer.edits.text)
  local removed = edit_map(page, map)
  page.answer, answer.edits = answer, nil
  return { text = text, removed = removed, first = map.range[1] + 1, last = map.range[1] + #map.runs }
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
