--- Two resolved texts of a prompt side by side, in a separate tab: two cases, or the current text
--- and that of the last commit. They follow the prompt and its inputs; Neovim computes the
--- differences.

local api = vim.api
local bar = require('promptls.bar')
local choice = require('promptls.diff.choice')
local highlights = require('promptls.highlights')
local prompt = require('promptls.prompt')
local scratch = require('promptls.scratch')
local server = require('promptls.server')

local M = {}

local GROUP = api.nvim_create_augroup('promptls.diff', {})
local PLACE = api.nvim_create_namespace('promptls.diff')

--- `left.error` is optional.
local DEPTH = 2

---@class promptls.Diff
---@field prompt integer             -- the buffer of the prompt
---@field place integer              -- an extmark at the prompt in a pack
---@field sides promptls.Side[]      -- the left and the right one
---@field bufs integer[]             -- the same for their buffers
---@field texts table[]?             -- the texts in the last response
---@field message string?            -- the reason why the texts are not updated
---@field origin integer             -- the tab that was left for this one
---@field is_pending boolean
---@field is_outdated boolean

---@type promptls.Diff[]
local diffs = {}

---@return promptls.Diff?
local function of(buf)
  return vim.iter(diffs):find(function(diff)
    return vim.tbl_contains(diff.bufs, buf)
  end)
end

---@param side promptls.Side
local function title(side)
  if side.revision then
    local store = side.revision:match('^store:(.*)')
    local preposition = store and ' in ' or ' at '
    return (side.case and side.case .. preposition or '') .. (store or side.revision)
  end
  return side.case or 'now'
end

-- Drawing ------------------------------------------------------------------------------

---@param diff promptls.Diff
local function draw_bars(diff)
  for index, buf in ipairs(diff.bufs) do
    local text = diff.texts and diff.texts[index] or {}
    local failure = text.error
    local trouble
    if diff.message then
      trouble = { group = 'PromptlsStale', 'out of date: ' .. diff.message }
    elseif failure then
      trouble = { group = 'PromptlsFailure', '✗ ' .. failure.message }
    elseif text.note then
      trouble = { group = 'PromptlsStale', text.note }
    end
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      vim.wo[win][0].winbar = bar.compose(api.nvim_win_get_width(win), title(diff.sides[index]), trouble, {})
    end
  end
end

---@param diff promptls.Diff
local function draw(diff)
  local has_changed = false
  for index, buf in ipairs(diff.bufs) do
    has_changed = scratch.write(buf, scratch.lines(diff.texts[index].text)) or has_changed
  end
  draw_bars(diff)
  local win = has_changed and vim.fn.win_findbuf(diff.bufs[1])[1]
  if win then
    api.nvim_win_call(win, vim.cmd.diffupdate)
  end
end

-- Requests -----------------------------------------------------------------------------

--- The current position of the prompt in a pack.
local function position(buf, place)
  local client = server.of(buf)
  local found = api.nvim_buf_get_extmark_by_id(buf, PLACE, place, {})
  if not (client and found[1]) then
    return nil
  end
  local line = api.nvim_buf_get_lines(buf, found[1], found[1] + 1, false)[1] or ''
  -- With other encodings than UTF-8, this is too far right, but on the same line.
  return { line = found[1], character = math.min(found[2], #line) }
end

---@param on_answer fun(answer: table?, message: string?)
local function request(diff, on_answer)
  local left, right = unpack(diff.sides)
  local question = { left = left, right = right, position = position(diff.prompt, diff.place) }
  -- An empty table would be encoded as a list.
  question.left = next(left) and left or vim.empty_dict()
  question.right = next(right) and right or vim.empty_dict()
  return prompt.request(diff.prompt, 'promptls/compare', question, on_answer, DEPTH)
end

--- Requests the current texts. One request is pending at a time; changes meanwhile cause another
--- request after the response.
---@param diff promptls.Diff
local function refresh(diff)
  if not (vim.tbl_contains(diffs, diff) and api.nvim_buf_is_valid(diff.prompt)) then
    return
  elseif diff.is_pending then
    diff.is_outdated = true
    return
  end
  diff.is_pending, diff.is_outdated = true, false
  local started = vim.uv.hrtime()
  local is_sent = request(diff, function(answer, message)
    diff.is_pending = false
    if not vim.tbl_contains(diffs, diff) then
      return
    end
    if not answer then
      diff.message = message or 'not a prompt any more'
      draw_bars(diff)
    else
      diff.message, diff.texts = nil, { answer.left, answer.right }
      draw(diff)
    end
    if diff.is_outdated then
      -- In texts of megabytes, comparing must leave time for typing.
      vim.defer_fn(function()
        refresh(diff)
      end, math.floor((vim.uv.hrtime() - started) / 1e6))
    end
  end)
  if not is_sent then
    diff.is_pending = false
    diff.message = 'the server is not running; :Promptls restart'
    draw_bars(diff)
  end
end

-- Opening and closing ------------------------------------------------------------------

---@param diff promptls.Diff
local function close(diff)
  local is_here = vim.tbl_contains(diff.bufs, api.nvim_get_current_buf())
  diffs = vim.tbl_filter(function(other)
    return other ~= diff
  end, diffs)
  if #diffs == 0 then
    api.nvim_clear_autocmds({ group = GROUP })
  end
  for _, buf in ipairs(diff.bufs) do
    if api.nvim_buf_is_valid(buf) then
      api.nvim_buf_delete(buf, { force = true })
    end
  end
  if api.nvim_buf_is_valid(diff.prompt) then
    api.nvim_buf_del_extmark(diff.prompt, PLACE, diff.place)
  end
  if is_here and api.nvim_tabpage_is_valid(diff.origin) then
    api.nvim_set_current_tabpage(diff.origin)
  end
end

--- Installs the event handlers, while there are diffs.
local function listen()
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = GROUP, callback = callback })
  end
  on({ 'BufDelete', 'BufWipeout' }, function(event)
    -- A single side is useless, and so are both without their prompt.
    for _, diff in ipairs(diffs) do
      if diff.prompt == event.buf or vim.tbl_contains(diff.bufs, event.buf) then
        vim.schedule(function()
          -- A buffer that gets its first name also causes this event, but stays loaded.
          local is_here = diff.prompt == event.buf and api.nvim_buf_is_loaded(diff.prompt)
          if vim.tbl_contains(diffs, diff) and not is_here then
            close(diff)
          end
        end)
      end
    end
  end)
  on('LspAttach', function(event)
    for _, diff in ipairs(diffs) do
      if diff.prompt == event.buf then
        -- The server was restarted.
        diff.is_pending = false
        refresh(diff)
      end
    end
  end)
  on({ 'FocusGained', 'TabEnter' }, function()
    -- No event reports a commit.
    local diff = of(api.nvim_get_current_buf())
    if diff then
      refresh(diff)
    end
  end)
  on('WinResized', function()
    for _, diff in ipairs(diffs) do
      draw_bars(diff)
    end
  end)
end

---@param diff promptls.Diff
local function open_windows(diff)
  for index, buf in ipairs(diff.bufs) do
    vim.cmd((index == 1 and 'tab' or 'vertical rightbelow') .. ' sbuffer ' .. buf)
    vim.cmd.diffthis()
    -- After `:diffthis`, which disables wrapping: the lines of prompts are long.
    scratch.set_window(api.nvim_get_current_win())
    vim.keymap.set('n', 'q', function()
      close(diff)
    end, { buffer = buf, desc = 'Close both texts', nowait = true })
    vim.bo[buf].filetype = 'promptls-diff'
  end
end

--- Shows two texts of a prompt, once they are available.
---@param buf integer
---@param sides promptls.Side[]
local function show(buf, sides)
  local win = prompt.window(buf)
  local row, column = 0, 0
  if win then
    row, column = unpack(api.nvim_win_get_cursor(win))
    row = row - 1
  end
  local place = api.nvim_buf_set_extmark(buf, PLACE, row, column, {})
  local diff = { prompt = buf, place = place, sides = sides, is_pending = false, is_outdated = false }
  local is_sent = request(diff, function(answer, message)
    if not answer then
      api.nvim_buf_del_extmark(buf, PLACE, place)
      prompt.complain(buf, message)
      return
    end
    highlights.define()
    diff.texts = { answer.left, answer.right }
    diff.origin = api.nvim_get_current_tabpage()
    diff.bufs = {}
    for index, side in ipairs(sides) do
      diff.bufs[index] = scratch.new()
      scratch.name(diff.bufs[index], buf, title(side))
      scratch.write(diff.bufs[index], scratch.lines(diff.texts[index].text))
    end
    if #diffs == 0 then
      listen()
    end
    table.insert(diffs, diff)
    open_windows(diff)
    draw(diff)
  end)
  if not is_sent then
    server.complain(buf)
  end
end

-- What is called from outside ----------------------------------------------------------

--- Opens two texts of a prompt, as named in `:Promptls diff`.
---@param buf integer
---@param left string?
---@param right string?
function M.open(buf, left, right)
  choice.of(buf, left, right, function(sides)
    show(buf, sides)
  end)
end

--- Handles a change of a file.
---@param uri string
function M.changed(uri)
  for _, diff in ipairs(diffs) do
    if vim.uri_from_bufnr(diff.prompt) == uri then
      refresh(diff)
    end
  end
end

--- The prompt whose text a buffer shows.
function M.prompt_of(buf)
  local diff = of(buf)
  return diff and diff.prompt
end

return M
