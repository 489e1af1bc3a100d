-- After any edits, at any speed, an incrementally updated preview equals a complete one, and so do
-- its marks.
file('small.agentle.inputs.json', '{"name": "Žofie 🚲", "two": "a\\nb", "tags": ["x", "y"], "nothing": ""}\n')
file('small.agentle.prompt', 'Dear {{name}}, {{two}}{{nothing}}\n{{#each tags}}- {{this}} {{name}}\n{{/each}}\nBye {{missing}}.\n')

--- Starts Neovim with a server that uses an encoding, and opens the preview.
local function begin(encoding)
  start(plugin(("{ capabilities = { general = { positionEncodings = { '%s' } } } }"):format(encoding)))
  lua([[
    local page, marks = require('promptls.page'), require('promptls.preview.marks')
    _G.whole = 0
    local lay_out, draw = page.lay_out, marks.draw
    function page.lay_out(...)
      _G.whole = _G.whole + 1
      return lay_out(...)
    end
    function marks.draw(preview, ...)
      _G.preview = preview
      return draw(preview, ...)
    end

    local PIECES = {
      '', '', 'a', ' ', '\n', '\r', 'é', '🚲', '{{name}}', '{{two}}', '{{nothing}}', '{{missing}}', '{{name', '}}',
      '\n{{#each tags}}\n', '{{/each}}\n', '{{this}}', '{{#if name}}', '{{/if}}', 'line\nline\n',
    }

    --- Puts a piece in the place of a few characters, anywhere.
    function _G.change()
      local buf = vim.fn.bufnr('small.agentle.prompt')
      local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, true), '\n')
      local length = vim.fn.strchars(text)
      local first = math.random(0, length)
      local last = math.min(length, first + math.random(0, 3) * math.random(0, 6))
      local function place(characters)
        local before = vim.fn.strcharpart(text, 0, characters)
        local _, row = before:gsub('\n', '')
        return row, #before:match('[^\n]*$')
      end
      local row, column = place(first)
      local last_row, last_column = place(last)
      local piece = #text > 600 and '' or PIECES[math.random(#PIECES)]
      vim.api.nvim_buf_set_text(buf, row, column, last_row, last_column, vim.split(piece, '\n', { plain = true }))
    end

    --- Whether the newest text is shown.
    function _G.is_shown()
      local buf = vim.fn.bufnr('small.agentle.prompt')
      return _G.preview.page.answer.version == vim.lsp.util.buf_versions[buf]
    end

    local function marked()
      local namespace = vim.api.nvim_get_namespaces()['promptls.preview']
      local found = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(_G.preview.buf, namespace, 0, -1, { details = true })) do
        local row, column, details = mark[2], mark[3], mark[4]
        local label = details.virt_text and details.virt_text[1][1] or ''
        local finish = ('%d:%d'):format(details.end_row or row, details.end_col or column)
        table.insert(found, ('%d:%d-%s %s%s'):format(row, column, finish, details.hl_group or '', label))
      end
      table.sort(found)
      return found
    end

    --- What is shown, and what would be if all of it were new.
    function _G.kept_and_fresh()
      local preview, prompt = _G.preview, vim.fn.bufnr('small.agentle.prompt')
      local client = vim.lsp.get_clients({ bufnr = prompt, name = 'promptls' })[1]
      local params = { textDocument = { uri = vim.uri_from_bufnr(prompt) } }
      local ask = vim.fn.has('nvim-0.11') == 1 and function(...) return client:request_sync(...) end or client.request_sync
      local fresh = lay_out(ask('promptls/preview', params, 10000, prompt).result, client.offset_encoding)
      local lines = vim.api.nvim_buf_get_lines(preview.buf, 0, -1, true)
      local kept_marks = marked()
      draw(preview, nil, false)
      local function of(page, lines, marks)
        return { lines = lines, all_lines = page.lines, starts = page.starts, runs = page.runs, marks = marks }
      end
      return { of(preview.page, lines, kept_marks), of(fresh, page.lines(fresh), marked()) }
    end
  ]])
  edit('small.agentle.prompt')
  attached()
  open_preview()
end

for seed, encoding in ipairs({ 'utf-8', 'utf-16' }) do
  begin(encoding)
  lua('math.randomseed(...)', seed)
  for turn = 1, 120 do
    -- Several edits at once cause one response.
    for _ = 1, turn % 4 == 0 and 3 or 1 do
      lua('_G.change()')
    end
    local what = ('change %d in %s: %s'):format(turn, encoding, lua("return table.concat(vim.fn.getline(1, '$'), '\\n')"))
    wait('the text after ' .. what, function()
      return lua('return _G.is_shown()')
    end)
    local kept, fresh = unpack(lua('return _G.kept_and_fresh()'))
    equal(what, fresh, kept)
  end
  equal('whole answers', 1, lua('return _G.whole'))
  stop()
end
