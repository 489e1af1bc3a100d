-- A prompt with thousands of placeholders: a key press changes only what differs.
local LINES = 400
file('big.adk.inputs.json', '{"name": "Žofie 🚲", "tone": "calm", "nothing": ""}\n')
file('big.adk.prompt', ('Dear {name}, 🚲 be {tone}{nothing}.\n'):rep(LINES))

--- Starts Neovim with a server that uses an encoding, and opens the preview.
local function begin(encoding)
  start(plugin(("{ capabilities = { general = { positionEncodings = { '%s' } } } }"):format(encoding)))
  lua([[
    local page = require('promptls.page')
    _G.whole, _G.edits, _G.bytes, _G.marks = 0, 0, 0, 0
    local lay_out, apply = page.lay_out, page.apply
    function page.lay_out(...)
      _G.whole, _G.page = _G.whole + 1, lay_out(...)
      return _G.page
    end
    function page.apply(...)
      _G.edits = _G.edits + 1
      return apply(...)
    end
    local set_text, set_extmark = vim.api.nvim_buf_set_text, vim.api.nvim_buf_set_extmark
    function vim.api.nvim_buf_set_text(buf, row, column, last_row, last_column, lines)
      _G.bytes = _G.bytes + #table.concat(lines, '\n')
      return set_text(buf, row, column, last_row, last_column, lines)
    end
    function vim.api.nvim_buf_set_extmark(buf, namespace, row, column, options)
      local namespaces = vim.api.nvim_get_namespaces()
      local is_ours = namespace == namespaces['promptls.preview'] or namespace == namespaces['promptls.preview.cursor']
      _G.marks = _G.marks + (is_ours and 1 or 0)
      return set_extmark(buf, namespace, row, column, options)
    end
    --- The server's response to a client without a previous preview.
    function _G.fresh()
      local prompt = vim.fn.bufnr('big.adk.prompt')
      local client = vim.lsp.get_clients({ bufnr = prompt, name = 'promptls' })[1]
      local params = { textDocument = { uri = vim.uri_from_bufnr(prompt) } }
      local ask = vim.fn.has('nvim-0.11') == 1 and function(...) return client:request_sync(...) end or client.request_sync
      local answer = ask('promptls/preview', params, 10000, prompt).result
      return lay_out(answer, client.offset_encoding)
    end
  ]])
  edit('big.adk.prompt')
  attached()
  open_preview()
  wait('what is on the screen', function()
    return #preview().marks > 0
  end)
end

--- Types keys that change the text. Each response refers to the previous one, and the results equal
--- those of a complete response.
local function follow(what, keys)
  lua('_G.edits, _G.bytes, _G.marks = 0, 0, 0')
  type(keys)
  wait('the text after ' .. what, function()
    return lua([[
      local fresh = _G.fresh()
      return _G.edits > 0 and vim.deep_equal(fresh.lines, _G.page.lines)
    ]])
  end)
  local fresh = lua([[
    local fresh, kept = _G.fresh(), _G.page
    return { vim.deep_equal(fresh.starts, kept.starts), vim.deep_equal(fresh.runs, kept.runs) }
  ]])
  equal('lines and runs after ' .. what, { true, true }, fresh)
  local shown = lua("return table.concat(require('promptls.page').lines(_G.page), '\\n')")
  equal('the buffer after ' .. what, shown, preview().text)
  local done = lua('return { whole = _G.whole, edits = _G.edits, bytes = _G.bytes, marks = _G.marks }')
  equal('whole answers after ' .. what, 1, done.whole)
  return done
end

--- Three values in a line, on three screens of 50 rows, and the output of the cursor's place.
local MOST_MARKS = 3 * 3 * 50 + 1

begin('utf-8')
type(LINES / 2 .. 'Gzz')
local done = follow('a letter', 'ix<Esc>')
equal('bytes that were set for a letter', 1, done.bytes)
-- The marks of adjacent values, and the output of the cursor's place whenever it moves.
equal('few marks for a letter', true, done.marks <= 10 * done.edits)
done = follow('a line', 'oand {tone} so on<Esc>')
equal('few bytes for a line', true, done.bytes <= 100)
follow('a line that is gone', 'dd')
follow('lines in the place of one', 'cc{name}<CR><CR>{nothing}<CR>x<Esc>')
follow('undo', 'u')
follow('the first line', 'ggOEin {nothing}<Esc>')
follow('the last line', 'Go{nothing}<Esc>')
follow('no last line', 'dd')
follow('what stands before the same', 'ggOcalm<CR>{tone}calm<Esc>kx')
follow('another end', 'G0D')

-- Marks are on the visible rows, also after a jump.
local function is_marked()
  local marks = lua([[
    local buf, namespace = ..., vim.api.nvim_get_namespaces()['promptls.preview']
    return vim.tbl_map(function(mark) return mark[2] end, vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, {}))
  ]], preview().buf)
  local top = preview().top - 1
  return #marks <= MOST_MARKS and vim.iter(marks):any(function(row)
    return top <= row and row <= top + 5
  end)
end
wait('marks at the end', is_marked)
type('gg')
wait('marks at the start', function()
  return preview().top < 10 and is_marked()
end)
lua('vim.api.nvim_set_current_win(...)', preview().win)
type(LINES / 2 .. 'Gzt')
wait('marks in the middle', function()
  return preview().top == LINES / 2 and is_marked()
end)

-- The jump to the source, from a text that was changed many times.
type('0/calm<CR><CR>')
wait_for('the placeholder', '{tone}', function()
  return lua("return vim.fn.getline('.'):sub(vim.fn.col('.')):match('^{tone}') or ''")
end)

-- All text is deleted, and restored.
follow('no text', '<Cmd>%delete<CR>')
follow('all of it', 'u')
follow('lines that end as on Windows', '<Cmd>set fileformat=dos<CR>ggAx<Esc>')
stop()

-- The same with another encoding on both sides.
begin('utf-16')
type(LINES / 2 .. 'Gzz')
follow('a letter behind many that count twice', 'A🚲<Esc>')
follow('one of them less', 'x')
follow('a line', 'o{name} 🚲 {tone}<Esc>')
follow('a line that is gone', 'ddggdd')
lua('vim.api.nvim_set_current_win(...)', preview().win)
type(LINES / 2 .. 'G0/calm<CR><CR>')
wait_for('the placeholder', '{tone}', function()
  return lua("return vim.fn.getline('.'):sub(vim.fn.col('.')):match('^{tone}') or ''")
end)
lua('vim.api.nvim_set_current_win(...)', preview().win)
type(LINES / 2 .. 'G0/ be <CR><CR>')
wait_for('the place in the text', ' be {tone}', function()
  return lua("return vim.fn.getline('.'):sub(vim.fn.col('.')):match('^ be {tone}') or ''")
end)
