--- Highlights in a preview: the origins of its text, and the output of the cursor's place in the
--- prompt.
---
--- Only the text on and near the screen is marked: a text of a megabyte may contain tens of
--- thousands of values. Marks move with the text, so a key press in a row marks only what is new in
--- it.

local api = vim.api
local page = require('promptls.page')
local prompt = require('promptls.prompt')
local screen = require('promptls.screen')
local server = require('promptls.server')

local M = {}

local TEXT = api.nvim_create_namespace('promptls.preview')
local CURSOR = api.nvim_create_namespace('promptls.preview.cursor')

--- The maximum number of marked runs: a line of a megabyte may contain tens of thousands.
local MOST_RUNS = 2000

local GROUPS = {
  escape = 'PromptlsEscape',
  mixed = 'PromptlsMixed',
  missing = 'PromptlsMissing',
  runtime = 'PromptlsRuntime',
}

---@class promptls.Lit
---@field first [integer, integer] -- its start: row and column
---@field last [integer, integer]  -- its end
---@field how 'line'|'text'|'empty'

-- Where the text comes from ------------------------------------------------------------

--- The inputs file of the case.
local function inputs_uri(answer)
  for _, case in ipairs(answer.cases) do
    if case.name == answer.case then
      return case.uri
    end
  end
end

---@param run promptls.Run
---@return string? group
local function group_of(run, inputs)
  if run.kind == 'value' then
    local is_input = run.value and run.value.uri == inputs
    return is_input and 'PromptlsValue' or 'PromptlsValueElsewhere'
  end
  return GROUPS[run.kind]
end

--- Marks a run, or moves its mark.
---@param preview promptls.Preview
---@param run promptls.Run
local function mark(preview, run, inputs)
  local group = group_of(run, inputs)
  local is_empty = page.is_empty(run)
  if not group or is_empty and run.kind ~= 'missing' then
    return
  end
  local first, last = page.place_of(preview.page, run)
  local options = { id = preview.mark_of[run] }
  if is_empty then
    -- The engine sends nothing there, which must be visible.
    options.virt_text = { { '⟨' .. (run.path or '?') .. '⟩', group } }
    options.virt_text_pos = 'inline'
  else
    options.end_row, options.end_col, options.hl_group = last[1], last[2], group
  end
  preview.mark_of[run] = api.nvim_buf_set_extmark(preview.buf, TEXT, first[1], first[2], options)
end

--- Marks everything near the screen.
---@param preview promptls.Preview
local function draw_text(preview)
  api.nvim_buf_clear_namespace(preview.buf, TEXT, 0, -1)
  preview.mark_of = {}
  preview.inputs = inputs_uri(preview.page.answer)
  preview.marked = screen.rows(preview.buf)
  for _, rows in ipairs(preview.marked) do
    for _, run in ipairs(page.runs_between(preview.page, rows[1], rows[2], MOST_RUNS)) do
      mark(preview, run, preview.inputs)
    end
  end
end

--- Whether a change keeps all rows in place, and changes little in them.
---@param preview promptls.Preview
---@param change promptls.PageChange
local function is_small(preview, change)
  local text = change.text
  local is_in_row = not text or text.first[1] == text.last[1] and #text.lines == 1
  local runs = #change.removed + change.last - change.first + 1
  return is_in_row and runs <= MOST_RUNS and preview.inputs == inputs_uri(preview.page.answer)
end

--- Marks the changes.
---@param preview promptls.Preview
---@param change promptls.PageChange
local function draw_change(preview, change)
  for _, run in ipairs(change.removed) do
    local id = preview.mark_of[run]
    if id then
      api.nvim_buf_del_extmark(preview.buf, TEXT, id)
      preview.mark_of[run] = nil
    end
  end
  -- Text inserted where marks meet separates some of them, so those next to it are set again.
  local runs = preview.page.runs
  for index = math.max(change.first - 1, 1), math.min(change.last + 1, #runs) do
    mark(preview, runs[index], preview.inputs)
  end
  -- The mark of a text that is replaced by one of the same length has turned around.
  local text = change.text
  local replaced = text and page.run_at(preview.page, text.first[1], text.first[2])
  if replaced then
    mark(preview, replaced, preview.inputs)
  end
end

-- What the cursor's place becomes ------------------------------------------------------

--- Finds the output of the cursor's place again.
---@param preview promptls.Preview
---@param cursor lsp.Position -- in the prompt
local function find_lit(preview, cursor)
  preview.lit = {}
  for _, run in ipairs(page.runs_of(preview.page, cursor.line, cursor.character)) do
    local first, last = page.place_of(preview.page, run)
    local how = 'text'
    if run.kind == 'literal' then
      local row = page.row_of(preview.page, run, cursor.line)
      first, last, how = { row, 0 }, { row, 0 }, 'line'
    elseif page.is_empty(run) and run.kind ~= 'missing' then
      how = 'empty'
    end
    table.insert(preview.lit, { first = first, last = last, how = how })
  end
end

--- Scrolls windows where no output is visible to it; if it has no text, to the text after it.
---@param preview promptls.Preview
---@param cursor lsp.Position -- in the prompt
local function scroll_to_lit(preview, cursor)
  local rows = vim.tbl_map(function(lit)
    return lit.first[1]
  end, preview.lit)
  if #rows == 0 then
    rows = { page.row_after(preview.page, cursor.line, cursor.character) }
  end
  if #rows == 0 then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(preview.buf)) do
    local first, last = vim.fn.line('w0', win) - 1, vim.fn.line('w$', win) - 1
    local is_seen = vim.iter(rows):any(function(row)
      return first <= row and row <= last
    end)
    if not is_seen and win ~= api.nvim_get_current_win() then
      api.nvim_win_set_cursor(win, { rows[1] + 1, 0 })
    end
  end
end

---@param buf integer
---@param lit promptls.Lit
local function light_up(buf, lit)
  local options
  if lit.how == 'line' then
    options = { line_hl_group = 'PromptlsCursorLine' }
  elseif lit.how == 'empty' then
    -- There is no text to highlight.
    options = { virt_text = { { '⟨⟩', 'PromptlsCursor' } }, virt_text_pos = 'inline' }
  else
    options = {
      end_row = lit.last[1],
      end_col = lit.last[2],
      hl_group = 'PromptlsCursor',
      hl_mode = 'combine',
      priority = 5000,
    }
  end
  api.nvim_buf_set_extmark(buf, CURSOR, lit.first[1], lit.first[2], options)
end

---@param preview promptls.Preview
local function draw_cursor(preview)
  api.nvim_buf_clear_namespace(preview.buf, CURSOR, 0, -1)
  for _, lit in ipairs(preview.lit) do
    local is_near = vim.iter(preview.marked):any(function(rows)
      return lit.first[1] <= rows[2] and rows[1] <= lit.last[1]
    end)
    if is_near then
      light_up(preview.buf, lit)
    end
  end
end

--- Updates the highlights for the cursor of the prompt.
---@param preview promptls.Preview
---@param scrolls boolean -- whether to scroll to the output if it is not visible
local function look(preview, scrolls)
  local win = prompt.window(preview.prompt)
  local client = server.of(preview.prompt)
  preview.lit = {}
  if not (win and client) then
    return
  end
  local cursor = vim.lsp.util.make_position_params(win, client.offset_encoding).position
  find_lit(preview, cursor)
  if scrolls then
    scroll_to_lit(preview, cursor)
  end
end

-- When to draw -------------------------------------------------------------------------

--- Marks a new text, or the changes in it.
---@param preview promptls.Preview
---@param change promptls.PageChange? -- `nil` if all of it is new
---@param scrolls boolean -- whether to scroll to the cursor's output if it is not visible
function M.draw(preview, change, scrolls)
  look(preview, scrolls)
  if change and is_small(preview, change) then
    draw_change(preview, change)
  else
    draw_text(preview)
  end
  draw_cursor(preview)
end

--- Marks the text that was scrolled onto the screen.
---@param preview promptls.Preview
function M.scrolled(preview)
  if preview.page and not screen.is_within(preview.buf, preview.marked) then
    draw_text(preview)
    draw_cursor(preview)
  end
end

--- Follows the cursor of the prompt.
---@param preview promptls.Preview
function M.cursor_moved(preview)
  if preview.page then
    look(preview, true)
    M.scrolled(preview)
    draw_cursor(preview)
  end
end

return M
