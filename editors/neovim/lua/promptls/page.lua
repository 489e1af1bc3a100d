--- A response of the server as lines, with conversions between places in them and in the prompt.
---
--- Plain data: nothing here accesses a window or a buffer. Rows and columns count from 0, columns
--- in bytes. Offsets are the server's, and converted to places only on demand. So an edit of a few
--- characters in a megabyte costs little more than moving what follows it.

local units = require('promptls.units')

local M = {}

---@class promptls.Run
---@field output [integer, integer] -- its start in the text, and the offset after its end
---@field kind 'literal'|'value'|'escape'|'mixed'|'missing'|'runtime'
---@field source lsp.Range    -- in the prompt
---@field path string?        -- of the placeholder
---@field value lsp.Location? -- the place of its value
---@field via table[]?        -- fragments and loop items that lead to it

---@class promptls.Page
---@field lines string[]      -- including the text after the last line break, and each `\r`
---@field starts integer[]    -- the offset at which each line starts
---@field runs promptls.Run[] -- in the order of the text
---@field is_in_order boolean -- whether that is also the order of the prompt: there are no loops
---@field answer table        -- the rest of the response
---@field encoding promptls.Encoding

---@class promptls.PageChange
---@field text promptls.TextChange? -- `nil` if no line has changed
---@field removed promptls.Run[]    -- the removed runs
---@field first integer             -- the index of the first new run
---@field last integer              -- the index of the last new run

---@class promptls.TextChange
---@field first [integer, integer] -- row and column of the start of the change
---@field last [integer, integer]  -- its previous end
---@field lines string[]           -- the new lines

--- The last index from `low` to `high` for which `is_it` holds; `low` if there is none. If it holds
--- for an index, it must hold for all lower ones.
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

--- The index of the line that contains an offset.
---@param page promptls.Page
local function line_of(page, offset)
  local starts = page.starts
  return last_of(1, #starts, function(index)
    return starts[index] <= offset
  end)
end

--- Replaces the items from `first` to `last` by `new`, and returns them.
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

--- The offsets of line starts, if the first one is at `offset`.
local function starts_from(offset, lines, encoding)
  local starts = {}
  for index, line in ipairs(lines) do
    starts[index] = offset
    offset = offset + units.width(line, encoding) + 1
  end
  return starts
end

--- The displayed length of a line, in bytes.
local function width(line)
  local has_return = line:byte(-1) == 13
  return has_return and #line - 1 or #line
end

--- The number of displayed rows: no row follows the end of the last line.
---@param page promptls.Page
local function height(page)
  local count = #page.lines
  return count > 1 and page.lines[count] == '' and count - 1 or count
end

--- All lines, as displayed.
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

--- The row and column of an offset.
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

--- The displayed text between two places.
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

--- Whether the runs between two indexes are in the order of the prompt.
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
  -- The text after a `\r` or the last line break determines whether it is displayed.
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
  -- The others were in order before, and moved by the same amount.
  local last = math.min(first + #edit.runs + 1, #page.runs)
  page.is_in_order = page.is_in_order and are_in_order(page.runs, math.max(first, 1), last)
  return removed
end

--- Applies the changes in a response to a page.
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

--- The start and end of a run: row and column of both.
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

--- The index of the first run that ends at an offset or after it.
---@param page promptls.Page
local function first_run(page, offset)
  local runs = page.runs
  -- The index after the last one that ends before it.
  return last_of(0, #runs, function(index)
    return runs[index].output[2] < offset
  end) + 1
end

--- The runs that affect these rows, in order; at most the first `most`.
---@param page promptls.Page
---@return promptls.Run[]
function M.runs_between(page, first_row, last_row, most)
  -- Runs without text may be after the last line break.
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
    -- A missing value may leave no text at all.
    if offset < to or from == offset and run.kind == 'missing' then
      return run
    end
  end
  return page.runs[#page.runs]
end

--- The runs for a place in the prompt: several if it is in a loop. The column is in the server's
--- encoding.
---@param page promptls.Page
---@return promptls.Run[]
function M.runs_of(page, row, column)
  local found, runs = {}, page.runs
  -- Without loops, all runs that end before the place come first.
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
    -- Runs for each key press and each run: rows alone exclude most of them.
    local has_row = start.line <= row and row <= finish.line
    if has_row and not is_before(row, column, start) and is_before(row, column, finish) then
      table.insert(found, run)
    end
  end
  return found
end

--- The row after a place in the prompt that produces no text, such as the start of a block.
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

--- The row of a literal run for a row of the prompt.
---@param page promptls.Page
---@param run promptls.Run
function M.row_of(page, run, row)
  local first, last = M.place_of(page, run)
  return math.min(first[1] + row - run.source.start.line, last[1])
end

--- The place in the prompt for a place in a run.
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
      -- But not in a pack, where a line break has the form `\n`.
      position = start
    end
  end
  return { start = position, ['end'] = position }
end

return M
