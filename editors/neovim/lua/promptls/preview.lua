--- The split that shows a prompt with its resolved values while the user types.
---
--- Each tab has at most one. It follows the prompt that is edited in its tab, stays when other
--- files are edited (its inputs, for example), and closes with the prompt.

local api = vim.api
local bar = require('promptls.preview.bar')
local cases = require('promptls.cases')
local engine = require('promptls.engine')
local highlights = require('promptls.highlights')
local jump = require('promptls.preview.jump')
local long_lines = require('promptls.long_lines')
local marks = require('promptls.preview.marks')
local page = require('promptls.page')
local prompt = require('promptls.prompt')
local scratch = require('promptls.scratch')
local server = require('promptls.server')
local tokens = require('promptls.preview.tokens')
local window = require('promptls.preview.window')

local M = {}

local GROUP = api.nvim_create_augroup('promptls.preview', {})

---@class promptls.Preview
---@field buf integer          -- the buffer with the resolved text
---@field prompt integer       -- the buffer of the prompt
---@field task string?         -- its name among several, if it was opened from its inputs
---@field page promptls.Page?  -- the displayed page
---@field shown integer?       -- the buffer of the prompt on that page
---@field marked promptls.Rows[] -- the rows in which values are highlighted
---@field mark_of table<promptls.Run, integer> -- the extmarks of these values
---@field inputs string?       -- the inputs of the case, when they were highlighted
---@field lit promptls.Lit[]   -- the output of the cursor's place in the prompt
---@field message string?      -- the reason why the text is not updated
---@field size promptls.Size?  -- its size, once known
---@field sizing 'pending'|'outdated'|nil -- whether the size is requested, or must be again
---@field engine promptls.Engine? -- its engine, once known
---@field engine_of table?     -- the parameters of the engine request
---@field requested_at integer? -- when the pending request was sent, in ns
---@field is_pending boolean   -- whether a request is pending
---@field is_outdated boolean  -- whether its response will be outdated

---@type table<integer, promptls.Preview> -- by `buf`
local previews = {}

---@return promptls.Preview?
local function in_tab()
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local preview = previews[api.nvim_win_get_buf(win)]
    if preview then
      return preview
    end
  end
end

-- Showing ------------------------------------------------------------------------------

--- Applies the server's response, and changes the text that differs.
---@param preview promptls.Preview
---@param answer table
---@return promptls.PageChange? -- `nil` if all of it is new
local function write(preview, answer)
  local buf = preview.buf
  if answer.edits then
    local change = page.apply(preview.page, answer)
    local text = change.text
    if text then
      scratch.replace(buf, text.first, text.last, text.lines)
      local first = text.first[1]
      if long_lines.is_among(api.nvim_buf_get_lines(buf, first, first + #text.lines, true)) then
        long_lines.relieve(buf)
      end
    end
    return change
  end
  local client = server.of(preview.prompt)
  preview.page = page.lay_out(answer, client and client.offset_encoding or 'utf-8')
  scratch.write(buf, page.lines(preview.page))
  if long_lines.is_in(buf) then
    long_lines.relieve(buf)
  end
end

---@param preview promptls.Preview
---@param answer table?
local function show(preview, answer, message)
  preview.message = message
  if answer then
    local change = write(preview, answer)
    local is_another = preview.shown ~= preview.prompt
    preview.shown = preview.prompt
    if is_another then
      preview.size, preview.engine = nil, nil
      for _, win in ipairs(vim.fn.win_findbuf(preview.buf)) do
        api.nvim_win_set_cursor(win, { 1, 0 })
      end
    end
    marks.draw(preview, change, is_another)
  elseif not message then
    preview.message = 'not a prompt; end its name in .prompt, or name it in promptls.toml'
  end
  bar.draw(preview)
  if answer then
    local took = preview.requested_at and (vim.uv.hrtime() - preview.requested_at) / 1e6 or 0
    tokens.measure_after(preview, math.floor(took))
    engine.follow(preview, bar.draw)
  end
end

--- The server's id for the displayed text, for incremental responses.
---@param preview promptls.Preview
local function shown_id(preview)
  return preview.page and preview.page.answer.resultId
end

--- Requests the current text. One request is pending at a time; changes meanwhile cause another
--- request after the response.
---@param preview promptls.Preview
local function refresh(preview)
  if preview.is_pending then
    preview.is_outdated = true
    return
  end
  local requested, id = preview.prompt, shown_id(preview)
  preview.is_pending, preview.is_outdated = true, false
  preview.requested_at = vim.uv.hrtime()
  local is_sent = prompt.request_preview(requested, id, function(answer, message)
    preview.is_pending = false
    if previews[preview.buf] ~= preview then
      return
    end
    local started = vim.uv.hrtime()
    if answer and answer.edits and shown_id(preview) ~= id then
      -- Another prompt was shown meanwhile, so these changes do not apply.
      preview.is_outdated = true
    elseif requested == preview.prompt and (answer or not preview.is_outdated) then
      -- After a change, a newer response will follow; until then, errors are not relevant.
      show(preview, answer, message)
    end
    preview.requested_at = nil
    if preview.is_outdated then
      -- In texts of megabytes, drawing must leave time for typing.
      local pause = math.floor((vim.uv.hrtime() - started) / 1e6)
      vim.defer_fn(function()
        refresh(preview)
      end, pause)
    end
  end, preview.task)
  if not is_sent then
    preview.is_pending = false
    show(preview, nil, 'the server is not running; :Promptls restart')
  end
end

-- Following ----------------------------------------------------------------------------

--- Shows another prompt, if a buffer contains one. An inputs file selects its case; the server
--- answers for it with its prompt.
local function follow(preview, buf)
  if buf == preview.prompt or buf == preview.buf or not server.of(buf) then
    return
  end
  prompt.request_preview(buf, nil, function(answer)
    if answer and previews[preview.buf] and api.nvim_get_current_buf() == buf then
      if not prompt.is_of(buf, answer) then
        local shown = preview.page and preview.page.answer
        local is_same = shown and shown.uri == answer.uri and shown.task == answer.task
        if is_same and answer.case then
          cases.show_case(preview.prompt, answer.task, answer.case)
        end
        return
      end
      preview.prompt = buf
      scratch.name(preview.buf, preview.prompt)
      show(preview, answer)
    end
  end)
end

--- Closes a preview. In the last window of Neovim, another buffer replaces it.
local function close(preview)
  if api.nvim_buf_is_valid(preview.buf) then
    api.nvim_buf_delete(preview.buf, { force = true })
  end
end

--- Whether the cursor has moved to another prompt in the same file.
local function has_left_prompt(preview)
  local page = preview.page
  local runs = page and page.runs or {}
  if #runs == 0 or not page.answer.task then
    return false
  end
  local row = api.nvim_win_get_cursor(0)[1] - 1
  return row < runs[1].source.start.line or row > runs[#runs].source['end'].line
end

local function on(events, callback)
  api.nvim_create_autocmd(events, { group = GROUP, callback = callback })
end

--- Installs the event handlers, while there are previews.
local function listen()
  on({ 'BufEnter', 'LspAttach' }, function(event)
    for _, preview in pairs(previews) do
      if event.event == 'LspAttach' and preview.prompt == event.buf then
        -- The server was restarted.
        preview.is_pending, preview.sizing = false, nil
        scratch.name(preview.buf, preview.prompt)
        refresh(preview)
      end
    end
    local preview = in_tab()
    if preview and api.nvim_get_current_buf() == event.buf then
      follow(preview, event.buf)
    end
  end)
  on('LspDetach', function(event)
    -- Deferred, because the server is still attached during the event.
    vim.schedule(function()
      for _, preview in pairs(previews) do
        if preview.prompt == event.buf and not server.of(event.buf) then
          preview.is_pending, preview.sizing = false, nil
          show(preview, nil, 'the server is not running; :Promptls restart')
        end
      end
    end)
  end)
  on({ 'CursorMoved', 'CursorMovedI' }, function(event)
    local preview = in_tab()
    if not preview or preview.prompt ~= event.buf then
      return
    end
    marks.cursor_moved(preview)
    if has_left_prompt(preview) then
      refresh(preview)
    end
  end)
  on('WinResized', function()
    for _, preview in pairs(previews) do
      bar.draw(preview)
    end
  end)
  on({ 'BufWinEnter', 'WinEnter', 'WinScrolled', 'WinResized' }, function()
    for _, preview in pairs(previews) do
      marks.scrolled(preview)
    end
  end)
  on({ 'BufDelete', 'BufWipeout' }, function(event)
    for _, preview in pairs(previews) do
      if preview.prompt == event.buf then
        -- Deferred: a buffer that gets its first name also causes this event, but stays loaded.
        vim.schedule(function()
          if not api.nvim_buf_is_loaded(event.buf) then
            close(preview)
          end
        end)
      end
    end
  end)
  on('WinClosed', function(event)
    local closed = tonumber(event.match)
    local preview = in_tab()
    local was_prompt = preview and api.nvim_win_get_buf(closed) == preview.prompt
    if was_prompt then
      vim.schedule(function()
        if previews[preview.buf] and #vim.fn.win_findbuf(preview.prompt) == 0 then
          close(preview)
        end
      end)
    end
  end)
  -- `:q` in the last window besides the preview ends Neovim, as without a preview.
  on('QuitPre', function()
    local preview = in_tab()
    local current = api.nvim_get_current_win()
    local others = vim.tbl_filter(function(win)
      local is_preview = preview and api.nvim_win_get_buf(win) == preview.buf
      local is_floating = api.nvim_win_get_config(win).relative ~= ''
      return win ~= current and not is_preview and not is_floating
    end, api.nvim_tabpage_list_wins(0))
    if preview and #others == 0 and api.nvim_get_current_buf() ~= preview.buf then
      close(preview)
    end
  end)
end

-- Opening ------------------------------------------------------------------------------

local function set_keys(preview)
  local function key(lhs, action, desc)
    vim.keymap.set('n', lhs, function()
      action(preview)
    end, { buffer = preview.buf, desc = desc, nowait = true })
  end
  key('<CR>', jump.to_source, 'Go to the placeholder of this text')
  key('gd', jump.to_value, 'Go to the source of this value')
  key('q', close, 'Close the preview')
end

--- Loads the prompt of an inputs file, and selects the case of these inputs. Calls a function with its
--- buffer once the server has it.
local function with_owner(answer, on_owner)
  local owner = vim.uri_to_bufnr(answer.uri)
  vim.fn.bufload(owner)
  vim.bo[owner].buflisted = true
  local function go()
    if answer.case then
      cases.show_case(owner, answer.task, answer.case)
    end
    on_owner(owner)
  end
  if server.of(owner) then
    go()
    return
  end
  api.nvim_create_autocmd('LspAttach', { buffer = owner, once = true, callback = vim.schedule_wrap(go) })
end

local make

--- Creates the preview of a prompt, or of that of an inputs file; `place` puts its buffer into a
--- window.
---@param place fun(buf: integer)
---@param task string? -- the name of the prompt among several
function make(buf, place, task)
  prompt.request_preview(buf, nil, function(answer, message)
    if answer and not prompt.is_of(buf, answer) and not task then
      with_owner(answer, function(owner)
        make(owner, place, answer.task or '')
      end)
      return
    end
    if not answer or not prompt.is_of(buf, answer) then
      prompt.complain(buf, message)
      return
    end
    highlights.define()
    local preview = {
      buf = scratch.new(),
      prompt = buf,
      task = task,
      marked = {},
      mark_of = {},
      lit = {},
      is_pending = false,
      is_outdated = false,
    }
    if not next(previews) then
      listen()
    end
    previews[preview.buf] = preview
    api.nvim_create_autocmd('BufWipeout', {
      buffer = preview.buf,
      callback = function()
        previews[preview.buf] = nil
        if not next(previews) then
          api.nvim_clear_autocmds({ group = GROUP })
        end
      end,
    })
    set_keys(preview)
    place(preview.buf)
    scratch.name(preview.buf, preview.prompt)
    vim.bo[preview.buf].filetype = 'promptls-preview'
    show(preview, answer)
  end, task)
end

--- Opens the preview of a prompt, without focusing it. If this tab has a preview, it shows this
--- prompt from now on.
---@param mods string? -- such as `vertical` or `tab`; by default beside or below, as fits
function M.open(buf, mods)
  if not server.of(buf) then
    server.complain(buf)
    return
  end
  local preview = in_tab()
  if preview then
    preview.prompt = buf
    scratch.name(preview.buf, preview.prompt)
    refresh(preview)
    return
  end
  make(buf, function(made)
    window.open(made, mods or '')
  end)
end

--- The same in an existing window.
function M.open_in(win, buf)
  make(buf, function(made)
    window.take(win, made)
  end)
end

--- Opens the preview of a prompt, or closes it if it is visible.
function M.toggle(buf, mods)
  local preview = in_tab()
  if preview and preview.prompt == buf then
    close(preview)
  else
    M.open(buf, mods)
  end
end

--- Handles a change of a file.
---@param uri string
function M.changed(uri)
  for _, preview in pairs(previews) do
    if vim.uri_from_bufnr(preview.prompt) == uri then
      refresh(preview)
    end
  end
end

--- The prompt of a preview buffer.
function M.prompt_of(buf)
  return previews[buf] and previews[buf].prompt
end

--- The prompt of the preview in this tab.
function M.prompt_in_tab()
  local preview = in_tab()
  return preview and preview.prompt
end

return M
