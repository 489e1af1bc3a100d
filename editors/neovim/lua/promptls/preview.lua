--- The split that shows a prompt with its inputs filled in, while it is typed.
---
--- Each tab has at most one. It follows the prompt that is edited in its tab, stays while
--- other files are (its inputs, say), and closes with the prompt.

local api = vim.api
local bar = require('promptls.bar')
local cases = require('promptls.cases')
local highlights = require('promptls.highlights')
local page = require('promptls.page')
local prompt = require('promptls.prompt')
local scratch = require('promptls.scratch')
local server = require('promptls.server')
local size = require('promptls.size')

local M = {}

local TEXT = api.nvim_create_namespace('promptls.preview')
local CURSOR = api.nvim_create_namespace('promptls.preview.cursor')
local GROUP = api.nvim_create_augroup('promptls.preview', {})

--- Below this width, halves of a window are too narrow to read prose in.
local MIN_COLUMNS_FOR_TWO = 110

---@class promptls.Preview
---@field buf integer          -- the buffer with the resolved text
---@field prompt integer       -- the buffer of the prompt
---@field page promptls.Page?  -- what is shown
---@field shown integer?       -- the buffer of the prompt that it is of
---@field message string?      -- why nothing new is shown
---@field size promptls.Size?  -- how large it is, once that is known
---@field sizing 'asked'|'outdated'|nil -- whether that is asked for, or has to be again
---@field asked_at integer?    -- when the answer on its way was asked for, in ns
---@field is_asking boolean    -- whether an answer is on its way
---@field is_outdated boolean  -- whether that answer will be too old

---@type table<integer, promptls.Preview> -- by `buf`
local previews = {}

--- The windows of a preview; more than one only if the user splits it.
local function windows(preview)
  return vim.fn.win_findbuf(preview.buf)
end

---@return promptls.Preview?
local function in_tab()
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local preview = previews[api.nvim_win_get_buf(win)]
    if preview then
      return preview
    end
  end
end

-- The bar on top -----------------------------------------------------------------------

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

--- What is wrong with the text as a whole.
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

--- The bar of a window that is `width` columns wide.
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
  return bar.compose(width, answer.case or 'no inputs', trouble(preview), parts)
end

local function draw_bar(preview)
  for _, win in ipairs(windows(preview)) do
    vim.wo[win][0].winbar = bar_of(preview, api.nvim_win_get_width(win))
  end
end

-- The text -----------------------------------------------------------------------------

--- Where the inputs of the case are.
local function inputs_uri(answer)
  for _, case in ipairs(answer.cases) do
    if case.name == answer.case then
      return case.uri
    end
  end
end

---@param run promptls.Run
---@return string? group
local function highlight_of(run, inputs)
  if run.kind == 'value' then
    local is_input = run.value and run.value.uri == inputs
    return is_input and 'PromptlsValue' or 'PromptlsValueElsewhere'
  end
  return ({
    escape = 'PromptlsEscape',
    mixed = 'PromptlsMixed',
    missing = 'PromptlsMissing',
    runtime = 'PromptlsRuntime',
  })[run.kind]
end

local function highlight(buf, shown)
  api.nvim_buf_clear_namespace(buf, TEXT, 0, -1)
  local inputs = inputs_uri(shown.answer)
  for _, run in ipairs(shown.runs) do
    local group = highlight_of(run, inputs)
    if group and run.from < run.to then
      api.nvim_buf_set_extmark(buf, TEXT, run.first[1], run.first[2], {
        end_row = run.last[1],
        end_col = run.last[2],
        hl_group = group,
      })
    elseif run.kind == 'missing' then
      -- The engine leaves nothing there; that must be seen, too.
      api.nvim_buf_set_extmark(buf, TEXT, run.first[1], run.first[2], {
        virt_text = { { '⟨' .. (run.path or '?') .. '⟩', group } },
        virt_text_pos = 'inline',
      })
    end
  end
end

--- Lights what the place of the cursor in the prompt becomes; `scrolls` to it if it is out
--- of sight.
local function light(preview, scrolls)
  api.nvim_buf_clear_namespace(preview.buf, CURSOR, 0, -1)
  local win = prompt.window(preview.prompt)
  local client = server.of(preview.prompt)
  if not (win and client and preview.page) then
    return
  end
  local cursor = vim.lsp.util.make_position_params(win, client.offset_encoding).position
  local rows = {}
  for _, run in ipairs(page.runs_of(preview.page, cursor.line, cursor.character)) do
    if run.kind == 'literal' then
      local row = page.row_of(run, cursor.line)
      api.nvim_buf_set_extmark(preview.buf, CURSOR, row, 0, { line_hl_group = 'PromptlsCursorLine' })
      table.insert(rows, row)
    elseif run.from == run.to and run.kind ~= 'missing' then
      -- An empty value has no text to light.
      api.nvim_buf_set_extmark(preview.buf, CURSOR, run.first[1], run.first[2], {
        virt_text = { { '⟨⟩', 'PromptlsCursor' } },
        virt_text_pos = 'inline',
      })
      table.insert(rows, run.first[1])
    else
      api.nvim_buf_set_extmark(preview.buf, CURSOR, run.first[1], run.first[2], {
        end_row = run.last[1],
        end_col = run.last[2],
        hl_group = 'PromptlsCursor',
        hl_mode = 'combine',
        priority = 5000,
      })
      table.insert(rows, run.first[1])
    end
  end
  if not scrolls then
    return
  end
  if #rows == 0 then
    rows = { page.row_after(preview.page, cursor.line, cursor.character) }
  end
  if #rows == 0 then
    return
  end
  for _, shown in ipairs(windows(preview)) do
    local first, last = vim.fn.line('w0', shown) - 1, vim.fn.line('w$', shown) - 1
    local is_seen = vim.iter(rows):any(function(row)
      return first <= row and row <= last
    end)
    if not is_seen and shown ~= api.nvim_get_current_win() then
      api.nvim_win_set_cursor(shown, { rows[1] + 1, 0 })
    end
  end
end

--- Asks for the size of what is shown, and adds it to the bar.
local function measure(preview)
  if preview.is_asking or not preview.page then
    -- The next text is on its way, and is not kept waiting.
    return
  elseif preview.sizing then
    preview.sizing = 'outdated'
    return
  end
  local asked = preview.prompt
  local is_sent = size.ask(asked, preview.page.answer.case, function(answer, _, is_unknown)
    local is_outdated = preview.sizing == 'outdated'
    -- An older server is not asked again.
    preview.sizing = is_unknown and 'asked' or nil
    if previews[preview.buf] ~= preview then
      return
    end
    if answer and asked == preview.prompt then
      preview.size = answer
      draw_bar(preview)
    end
    if is_outdated and not is_unknown then
      measure(preview)
    end
  end)
  preview.sizing = is_sent and 'asked' or nil
end

--- Does so after a pause as long as it took to get and draw the text: while something is typed
--- into a text of megabytes, counting must leave time for drawing.
local function measure_soon(preview)
  local took = preview.asked_at and (vim.uv.hrtime() - preview.asked_at) / 1e6 or 0
  local shown = preview.page
  vim.defer_fn(function()
    if previews[preview.buf] == preview and preview.page == shown then
      measure(preview)
    end
  end, math.floor(took))
end

---@param answer table?
local function show(preview, answer, message)
  preview.message = message
  if answer then
    local client = server.of(preview.prompt)
    preview.page = page.lay_out(answer, client and client.offset_encoding or 'utf-8')
    scratch.write(preview.buf, preview.page.lines)
    highlight(preview.buf, preview.page)
    local is_another = preview.shown ~= preview.prompt
    preview.shown = preview.prompt
    if is_another then
      preview.size = nil
      for _, win in ipairs(windows(preview)) do
        api.nvim_win_set_cursor(win, { 1, 0 })
      end
    end
    light(preview, is_another)
  elseif not message then
    preview.message = 'not a prompt; end its name in .prompt, or name it in promptls.toml'
  end
  draw_bar(preview)
  if answer then
    measure_soon(preview)
  end
end

--- Asks for what is to be shown now. One question is on its way at a time; what changes
--- meanwhile is asked for when it is answered.
---@param preview promptls.Preview
local function refresh(preview)
  if preview.is_asking then
    preview.is_outdated = true
    return
  end
  local asked = preview.prompt
  preview.is_asking, preview.is_outdated = true, false
  preview.asked_at = vim.uv.hrtime()
  local is_sent = prompt.ask(asked, function(answer, message)
    preview.is_asking = false
    if previews[preview.buf] ~= preview then
      return
    end
    local started = vim.uv.hrtime()
    -- A newer answer is on its way if something has changed; until then, errors are of no use.
    if asked == preview.prompt and (answer or not preview.is_outdated) then
      show(preview, answer, message)
    end
    preview.asked_at = nil
    if preview.is_outdated then
      -- In texts of megabytes, drawing must leave time for typing.
      local pause = math.floor((vim.uv.hrtime() - started) / 1e6)
      vim.defer_fn(function()
        refresh(preview)
      end, pause)
    end
  end)
  if not is_sent then
    preview.is_asking = false
    show(preview, nil, 'the server is not running; :Promptls restart')
  end
end

-- Following ----------------------------------------------------------------------------

--- Shows another prompt, if a buffer is one.
local function follow(preview, buf)
  if buf == preview.prompt or buf == preview.buf or not server.of(buf) then
    return
  end
  prompt.ask(buf, function(answer)
    if answer and previews[preview.buf] and api.nvim_get_current_buf() == buf then
      preview.prompt = buf
      scratch.name(preview.buf, preview.prompt)
      show(preview, answer)
    end
  end)
end

--- Closes a preview. In the last window of Neovim, another buffer takes its place.
local function close(preview)
  if api.nvim_buf_is_valid(preview.buf) then
    api.nvim_buf_delete(preview.buf, { force = true })
  end
end

--- A prompt in a pack gives way to the one that the cursor goes to.
local function has_left_prompt_of_pack(preview)
  local runs = preview.page and preview.page.runs or {}
  local is_pack = vim.endswith(api.nvim_buf_get_name(preview.prompt), '.pack.json')
  if not is_pack or #runs == 0 then
    return false
  end
  local row = api.nvim_win_get_cursor(0)[1] - 1
  return row < runs[1].source.start.line or row > runs[#runs].source['end'].line
end

local function on(events, callback)
  api.nvim_create_autocmd(events, { group = GROUP, callback = callback })
end

--- Listens while there are previews.
local function listen()
  on({ 'BufEnter', 'LspAttach' }, function(event)
    for _, preview in pairs(previews) do
      if event.event == 'LspAttach' and preview.prompt == event.buf then
        -- The server was started again.
        preview.is_asking, preview.sizing = false, nil
        refresh(preview)
      end
    end
    local preview = in_tab()
    if preview and api.nvim_get_current_buf() == event.buf then
      follow(preview, event.buf)
    end
  end)
  on('LspDetach', function(event)
    -- Only afterwards is the server gone.
    vim.schedule(function()
      for _, preview in pairs(previews) do
        if preview.prompt == event.buf and not server.of(event.buf) then
          preview.is_asking, preview.sizing = false, nil
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
    light(preview, true)
    if has_left_prompt_of_pack(preview) then
      refresh(preview)
    end
  end)
  on('WinResized', function()
    for _, preview in pairs(previews) do
      draw_bar(preview)
    end
  end)
  on({ 'BufDelete', 'BufWipeout' }, function(event)
    for _, preview in pairs(previews) do
      if preview.prompt == event.buf then
        vim.schedule(function()
          close(preview)
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
  -- `:q` in the last window but the preview ends Neovim, as without a preview.
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

-- Jumping ------------------------------------------------------------------------------

--- Goes to a place, in the window of the prompt.
local function jump(preview, location)
  local win = prompt.window(preview.prompt)
  if win then
    api.nvim_set_current_win(win)
  else
    vim.cmd('aboveleft split')
  end
  local shown = vim.fn.bufwinid(vim.uri_to_bufnr(location.uri))
  if shown ~= -1 then
    api.nvim_set_current_win(shown)
  end
  local client = server.of(preview.prompt)
  vim.lsp.util.show_document(location, client and client.offset_encoding or 'utf-8', { focus = true })
end

local function run_under_cursor(preview)
  local row, column = unpack(api.nvim_win_get_cursor(0))
  return preview.page and page.run_at(preview.page, row - 1, column), row - 1, column
end

local function jump_to_source(preview)
  local run, row, column = run_under_cursor(preview)
  if run then
    local range = page.source_of(run, row, column)
    jump(preview, { uri = vim.uri_from_bufnr(preview.prompt), range = range })
  end
end

local function jump_to_value(preview)
  local run = run_under_cursor(preview)
  if run and run.value then
    jump(preview, run.value)
  elseif run and run.kind == 'missing' then
    local text = 'promptls: `%s` has no value; `:Promptls inputs` opens the inputs of this case'
    vim.notify(text:format(run.path or '?'), vim.log.levels.WARN)
  else
    jump_to_source(preview)
  end
end

-- Opening ------------------------------------------------------------------------------

local function set_keys(preview)
  local function key(lhs, action, desc)
    vim.keymap.set('n', lhs, function()
      action(preview)
    end, { buffer = preview.buf, desc = desc, nowait = true })
  end
  key('<CR>', jump_to_source, 'Go to the placeholder that this comes from')
  key('gd', jump_to_value, 'Go to where this value is written')
  key('q', close, 'Close the preview')
end

local function open_window(preview, mods)
  local origin = api.nvim_get_current_win()
  if mods == '' then
    local is_wide = api.nvim_win_get_width(origin) >= MIN_COLUMNS_FOR_TWO
    mods = is_wide and 'vertical belowright' or 'belowright'
  end
  vim.cmd(mods .. ' sbuffer ' .. preview.buf)
  local win = api.nvim_get_current_win()
  local options = {
    wrap = true,
    linebreak = true,
    breakindent = true,
    number = false,
    relativenumber = false,
    signcolumn = 'no',
    foldcolumn = '0',
    foldenable = false,
    list = false,
    spell = false,
    cursorline = false,
    colorcolumn = '',
    scrollbind = false,
    cursorbind = false,
  }
  for name, value in pairs(options) do
    vim.wo[win][0][name] = value
  end
  if api.nvim_win_is_valid(origin) and not mods:find('tab') then
    api.nvim_set_current_win(origin)
  end
end

--- Opens the preview of a prompt, without going there. Where there is one in this tab, it
--- shows this prompt from now on.
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
  prompt.ask(buf, function(answer, message)
    if not answer then
      prompt.complain(buf, message)
      return
    end
    highlights.define()
    preview = { buf = scratch.new(), prompt = buf, is_asking = false, is_outdated = false }
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
    scratch.name(preview.buf, preview.prompt)
    set_keys(preview)
    open_window(preview, mods or '')
    vim.bo[preview.buf].filetype = 'promptls-preview'
    show(preview, answer)
  end)
end

--- Opens the preview of a prompt, or closes it if it is on the screen.
function M.toggle(buf, mods)
  local preview = in_tab()
  if preview and preview.prompt == buf then
    close(preview)
  else
    M.open(buf, mods)
  end
end

--- Takes notice that something about a file has changed.
---@param uri string
function M.changed(uri)
  for _, preview in pairs(previews) do
    if vim.uri_from_bufnr(preview.prompt) == uri then
      refresh(preview)
    end
  end
end

--- The prompt that a buffer is the preview of.
function M.prompt_of(buf)
  return previews[buf] and previews[buf].prompt
end

--- The prompt of the preview in this tab.
function M.prompt_in_tab()
  local preview = in_tab()
  return preview and preview.prompt
end

return M
