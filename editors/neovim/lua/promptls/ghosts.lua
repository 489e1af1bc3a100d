--- Ghost values: the value of the selected case instead of each placeholder. The lines with the
--- cursor show the source text, and the text itself is not changed.
---
--- Extmarks belong to buffers, not to windows: the cursor's line looks the same in all windows.

local api = vim.api
local highlights = require('promptls.highlights')
local prompt = require('promptls.prompt')
local screen = require('promptls.screen')
local server = require('promptls.server')
local units = require('promptls.units')
local windows = require('promptls.ghosts.windows')

local M = {}

local NAMESPACE = api.nvim_create_namespace('promptls.ghosts')
local GROUP = api.nvim_create_augroup('promptls.ghosts', {})

--- Placeholders without a value keep their name, as in the preview.
local NAMED = { missing = 'PromptlsGhostMissing', runtime = 'PromptlsGhostRuntime' }

--- Displayed for an empty value.
local EMPTY = '⟨⟩'

---@class promptls.Ghost
---@field text string
---@field kind 'value'|'missing'|'runtime'

---@class promptls.Haunted
---@field buf integer
---@field ghosts table<integer, promptls.Ghost> -- by extmark
---@field shown promptls.Rows[]     -- the rows that were requested
---@field written promptls.Rows?    -- the rows that show the source text
---@field windows table<integer, table<string, any>> -- their previous options
---@field before table<string, any>?  -- the previous options of the first window
---@field had_hints boolean           -- whether inlay hints were enabled
---@field is_on boolean
---@field is_prompt boolean           -- after the server's confirmation
---@field is_pending boolean
---@field is_outdated boolean

---@type table<integer, promptls.Haunted> -- by buffer
local haunted = {}

--- The user's choice since the start; `nil` means that the setting applies.
local choice ---@type boolean?

-- Drawing ------------------------------------------------------------------------------

--- The rows with the cursor or the selection.
---@return promptls.Rows?
local function rows_of_cursor(buf)
  if api.nvim_get_current_buf() ~= buf then
    return nil
  end
  local row = vim.fn.line('.') - 1
  local is_visual = vim.fn.mode():find('^[vVsS\22\19]')
  local other = is_visual and vim.fn.line('v') - 1 or row
  return { math.min(row, other), math.max(row, other) }
end

---@param rows promptls.Rows?
local function meets(rows, first, last)
  return rows ~= nil and first <= rows[2] and last >= rows[1]
end

--- An extmark, with or without a visible ghost.
---@param state promptls.Haunted
---@param ghost promptls.Ghost
---@param at integer[] -- row and column of the start, then of the end
local function mark(state, ghost, at, id)
  local options = {
    id = id,
    end_row = at[3],
    end_col = at[4],
    strict = false,
    undo_restore = false,
    invalidate = true,
  }
  if meets(state.written, at[1], at[3]) then
    -- Invisible, but kept for when the cursor leaves.
  elseif NAMED[ghost.kind] then
    options.hl_group = NAMED[ghost.kind]
  else
    options.conceal = ''
    options.virt_text = { { ghost.text == '' and EMPTY or ghost.text, 'PromptlsGhost' } }
    options.virt_text_pos = 'inline'
  end
  return api.nvim_buf_set_extmark(state.buf, NAMESPACE, at[1], at[2], options)
end

--- Shows the source text on the cursor's lines, and ghosts on the lines that it has left.
---@param state promptls.Haunted
local function follow_cursor(state)
  local before, now = state.written, rows_of_cursor(state.buf)
  if vim.deep_equal(before, now) or not state.is_on then
    return
  end
  state.written = now
  for _, found in ipairs(api.nvim_buf_get_extmarks(state.buf, NAMESPACE, 0, -1, { details = true })) do
    local id, row, column, details = unpack(found)
    local last = details.end_row or row
    if state.ghosts[id] and meets(before, row, last) ~= meets(now, row, last) then
      mark(state, state.ghosts[id], { row, column, last, details.end_col or column }, id)
    end
  end
end

---@param state promptls.Haunted
local function erase(state)
  api.nvim_buf_clear_namespace(state.buf, NAMESPACE, 0, -1)
  state.ghosts = {}
end

--- Replaces all ghosts, before the screen is redrawn.
---@param state promptls.Haunted
---@param values { range: lsp.Range, text: string, kind: string }[]
local function draw(state, values, encoding)
  erase(state)
  state.written = rows_of_cursor(state.buf)
  local function column(position)
    local line = api.nvim_buf_get_lines(state.buf, position.line, position.line + 1, false)[1] or ''
    return units.to_byte(line, position.character, encoding)
  end
  for _, value in ipairs(values) do
    local start, finish = value.range.start, value.range['end']
    local at = { start.line, column(start), finish.line, column(finish) }
    state.ghosts[mark(state, value, at)] = value
  end
end

-- Requests -----------------------------------------------------------------------------

local request

--- Applies the server's response for these rows.
---@param state promptls.Haunted
---@param values table? -- `nil` if it is no prompt
local function take(state, values, rows, encoding)
  state.is_prompt = values ~= nil
  state.shown = rows
  if not values then
    erase(state)
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(state.buf)) do
    windows.adopt(state, win)
  end
  windows.hide_hints(state)
  draw(state, values, encoding)
end

--- Requests the values for these rows, one range after the other.
---@param on_values fun(values: table?, message: string?, is_unknown: boolean?)
local function request_rows(buf, rows, index, values, on_values)
  local first, last = rows[index][1], rows[index][2]
  local last_line = api.nvim_buf_get_lines(buf, last, last + 1, true)[1]
  local range = {
    start = { line = first, character = 0 },
    -- A column after the end of a line means its end, so bytes work with any encoding.
    ['end'] = { line = last, character = #last_line },
  }
  return prompt.request(buf, 'promptls/values', { range = range }, function(found, message, is_unknown)
    if not found then
      on_values(nil, message, is_unknown)
      return
    end
    vim.list_extend(values, found)
    if not rows[index + 1] then
      on_values(values)
    elseif not request_rows(buf, rows, index + 1, values, on_values) then
      on_values(nil, 'the server is not running')
    end
  end)
end

--- Requests the values on the screen. One request is pending at a time; changes meanwhile cause
--- another request after the response.
---@param state promptls.Haunted
function request(state)
  if state.is_pending then
    state.is_outdated = true
    return
  end
  local buf, client = state.buf, server.of(state.buf)
  local rows = screen.rows(buf)
  if not (client and state.is_on) or #rows == 0 then
    return
  end
  local tick = api.nvim_buf_get_changedtick(buf)
  state.is_pending, state.is_outdated = true, false
  request_rows(buf, rows, 1, {}, function(values, message, is_unknown)
    state.is_pending = false
    if haunted[buf] ~= state or not state.is_on then
      return
    end
    if is_unknown then
      vim.notify_once('promptls: ' .. message, vim.log.levels.ERROR)
      return
    elseif not message and tick == api.nvim_buf_get_changedtick(buf) then
      take(state, values, rows, client.offset_encoding)
    end
    if state.is_outdated or tick ~= api.nvim_buf_get_changedtick(buf) then
      request(state)
    end
  end)
end

-- Following ----------------------------------------------------------------------------

local function each(action)
  for _, state in pairs(haunted) do
    action(state)
  end
end

local function on(events, callback)
  api.nvim_create_autocmd(events, { group = GROUP, callback = callback })
end

local function listen()
  on({ 'CursorMoved', 'CursorMovedI', 'ModeChanged' }, function(event)
    -- For `ModeChanged`, `event.buf` is also the current buffer.
    if haunted[event.buf] then
      follow_cursor(haunted[event.buf])
    end
  end)
  on({ 'WinEnter', 'BufEnter' }, function()
    each(follow_cursor)
  end)
  on({ 'BufWinEnter', 'WinNew', 'WinEnter' }, function()
    local win = api.nvim_get_current_win()
    local state = haunted[api.nvim_win_get_buf(win)]
    if state and not state.is_on then
      -- Windows remember the options with which they last showed a buffer.
      windows.release(state, win)
    elseif state and state.is_prompt then
      windows.adopt(state, win)
    end
  end)
  on({ 'BufWinEnter', 'WinEnter', 'WinScrolled', 'WinResized' }, function()
    each(function(state)
      if not screen.is_within(state.buf, state.shown) then
        request(state)
      end
    end)
  end)
  on('LspDetach', function(event)
    local state = haunted[event.buf]
    if state and (vim.lsp.get_client_by_id(event.data.client_id) or {}).name == 'promptls' then
      state.is_pending = false
      erase(state)
      state.shown = {}
    end
  end)
  on({ 'BufDelete', 'BufWipeout' }, function(event)
    -- Deferred: a buffer that gets its first name also causes this event, but stays loaded.
    vim.schedule(function()
      if not api.nvim_buf_is_loaded(event.buf) then
        haunted[event.buf] = nil
      end
    end)
  end)
end

---@param state promptls.Haunted
local function switch_off(state)
  state.is_on, state.is_outdated = false, false
  erase(state)
  state.shown = {}
  for _, win in ipairs(vim.fn.win_findbuf(state.buf)) do
    windows.release(state, win)
  end
  windows.restore_hints(state)
end

-- What is called from outside ----------------------------------------------------------

--- Whether ghosts are shown, in a prompt with an attached server.
function M.is_on(buf)
  if choice ~= nil then
    return choice
  end
  return server.setting(buf, 'ghostValues', 'enabled') == true
end

--- In a pack, Vim's JSON syntax conceals quotes as soon as anything is concealed.
local function is_json(buf)
  return vim.startswith(vim.bo[buf].filetype, 'json')
end

--- Shows ghosts in a buffer if they are enabled. Called when the server is attached to it.
function M.attach(buf)
  if not M.is_on(buf) or is_json(buf) or vim.bo[buf].buftype ~= '' then
    return
  end
  highlights.define()
  if #api.nvim_get_autocmds({ group = GROUP }) == 0 then
    listen()
  end
  local state = haunted[buf]
  if not state then
    state = { buf = buf, ghosts = {}, shown = {}, windows = {}, had_hints = false, is_pending = false }
    haunted[buf] = state
  end
  state.is_on = true
  request(state)
end

--- Enables or disables ghosts in all prompts.
---@param buf integer -- the current buffer
function M.switch(is_on, buf)
  choice = is_on
  if is_on and is_json(buf) then
    vim.notify('promptls: packs show no ghosts; the preview shows their values', vim.log.levels.WARN)
  end
  if not is_on then
    each(switch_off)
    return
  end
  for _, client in ipairs(server.all()) do
    for buf in pairs(client.attached_buffers) do
      M.attach(buf)
    end
  end
end

--- Handles a change of a file.
---@param uri string
function M.changed(uri)
  each(function(state)
    if vim.uri_from_bufnr(state.buf) == uri then
      request(state)
    end
  end)
end

return M
