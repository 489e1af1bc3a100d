-- A prompt in one long line: work that would be noticeable at each key press is skipped.
file('line.adk.inputs.json', '{"name": "Ada"}\n')
file('line.adk.prompt', ('Dear {name}, '):rep(6000) .. '\n')
start()
lua([[
  local page = require('promptls.page')
  local apply, set_extmark = page.apply, vim.api.nvim_buf_set_extmark
  _G.most_runs, _G.edits, _G.marks = 0, 0, 0
  function page.apply(of, answer)
    _G.edits = _G.edits + 1
    _G.most_runs = math.max(_G.most_runs, #answer.edits.map.runs)
    return apply(of, answer)
  end
  function vim.api.nvim_buf_set_extmark(buf, namespace, ...)
    local is_ours = namespace == vim.api.nvim_get_namespaces()['promptls.preview']
    _G.marks = _G.marks + (is_ours and 1 or 0)
    return set_extmark(buf, namespace, ...)
  end
]])
edit('line.adk.prompt')
attached()
command('Promptls preview')

--- Whether the preview starts with this text; it is too long to be returned each time.
local function wait_for_start(text)
  wait_for('the start of the preview', text, function()
    return lua([[
      local length = ...
      for _, buf in ipairs(vim.api.nvim_list_bufs()) do
        if vim.bo[buf].filetype == 'promptls-preview' then
          return vim.api.nvim_buf_get_text(buf, 0, 0, 0, length, {})[1]
        end
      end
    ]], #text)
  end)
end

wait_for_start('Dear Ada, Dear Ada,')
type('ix<Esc>')
wait_for_start('xDear Ada,')

-- All of its positions move with each key press, but only changes are sent and marked.
lua('_G.edits, _G.marks = 0, 0')
type('0i' .. ('y'):rep(20) .. '{name}<Esc>')
wait_for_start(('y'):rep(20) .. 'AdaxDear')
local done = lua('return { runs = _G.most_runs, edits = _G.edits, marks = _G.marks }')
equal('few runs for each answer', true, done.runs <= 3)
equal('few marks for each key', true, done.marks <= 10 * done.edits)

-- Wrapping between words would take the longest.
local windows = lua([[
  return vim.tbl_map(function(win)
    return { vim.wo[win].wrap, vim.wo[win].linebreak, vim.wo[win].breakindent, vim.wo[win].spell }
  end, vim.api.nvim_tabpage_list_wins(0))
]])
equal('how both windows show it', { { true, false, false, false }, { true, false, false, false } }, windows)

-- Values are marked in the visible part.
local marks = preview().marks
equal('many marks', true, #marks > 500)
equal('but not all', true, #marks <= 2001)

-- Without loops, the cursor's place is found by binary search, with the same result.
local source = lua([[
  local page = require('promptls.page')
  local function run(first, last)
    return { output = { 0, 0 }, source = { start = { line = 0, character = first }, ['end'] = { line = 0, character = last } } }
  end
  local runs = { run(0, 5), run(5, 11), run(11, 20), run(20, 26) }
  local function found(columns, in_order)
    return vim.tbl_map(function(column)
      local of = page.runs_of({ runs = runs, is_in_order = in_order }, 0, column)
      return #of == 1 and of[1].source.start.character or -1
    end, columns)
  end
  local columns = { 0, 4, 5, 10, 11, 25, 26, 99 }
  return { found(columns, true), found(columns, false) }
]])
equal('runs that are looked for by halves', { 0, 0, 5, 5, 11, 20, -1, -1 }, source[1])
equal('runs that are looked for one by one', source[1], source[2])
