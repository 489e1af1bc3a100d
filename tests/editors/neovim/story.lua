--- Runs one story: `nvim --clean --headless -l story.lua FILE`.
---
--- The story runs here and controls a second Neovim, the child, over RPC. So keys are typed as by a
--- user, in any mode, while the story observes and waits.
---
--- A story is a Lua file whose environment contains the functions below.

local TIMEOUT = 10000

local root = assert(os.getenv('STORY_ROOT'))
local home = assert(os.getenv('HOME'))
local folder = home .. '/project'
local child
local exited -- the child's exit code

local function fail(text, ...)
  error(text:format(...), 0)
end

local function messages()
  return vim.rpcrequest(child, 'nvim_exec2', 'messages', { output = true }).output
end

--- Runs Lua in the child and returns its result; arguments are `...` there.
local function lua(code, ...)
  -- A long message waits for a key, and blocks everything else.
  if vim.rpcrequest(child, 'nvim_get_mode').mode:find('^r') then
    vim.rpcrequest(child, 'nvim_input', '<C-c>')
    fail('Neovim stopped to say:\n%s', messages())
  end
  return vim.rpcrequest(child, 'nvim_exec_lua', code, { ... })
end

local function show(value)
  return type(value) == 'string' and value or vim.inspect(value)
end

local story = {}

story.lua = lua
story.root = root
story.folder = folder
story.is_0_10 = vim.fn.has('nvim-0.11') == 0

--- Writes a file of the project, with its folders.
function story.file(path, text)
  path = folder .. '/' .. path
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  local file = assert(io.open(path, 'w'))
  file:write(text)
  file:close()
end

--- An init.lua that loads the plugin as in the help, and optionally configures the server: `config`
--- is the source of a table.
function story.plugin(config)
  local code = ('vim.opt.runtimepath:append(%q)\n'):format(root .. '/editors/neovim')
  if story.is_0_10 then
    return code .. (config and 'vim.g.promptls = ' .. config or '')
  end
  return code .. (config and ("vim.lsp.config('promptls', %s)\n"):format(config) or '')
end

--- Starts the child. `setup` is its init.lua; by default, it loads the plugin.
function story.start(setup)
  local init = home .. '/init.lua'
  local file = assert(io.open(init, 'w'))
  file:write(setup or story.plugin())
  -- Enough space for the bars.
  file:write('\nvim.o.columns, vim.o.lines = 200, 50\n')
  file:close()
  vim.fn.mkdir(folder, 'p')
  local command = { os.getenv('STORY_NVIM'), '--clean', '--embed', '--headless', '-u', init }
  exited = nil
  child = vim.fn.jobstart(command, {
    rpc = true,
    cwd = folder,
    on_exit = function(_, code)
      exited = code
    end,
  })
end

--- Waits for the child to end by itself; returns its exit code.
function story.exit_code()
  vim.wait(TIMEOUT, function()
    return exited
  end, 20)
  child = nil
  return exited
end

function story.stop()
  if child then
    pcall(vim.rpcnotify, child, 'nvim_command', 'qall!')
    local has_ended = vim.wait(3000, function()
      return exited
    end, 20)
    if not has_ended then
      vim.fn.jobstop(child)
    end
  end
  child = nil
end

--- Opens a file of the project.
function story.edit(path)
  lua('vim.cmd.edit(...)', path)
end

--- Reads the file of the current buffer again. Neovim 0.10 fails if a difference between semantic
--- tokens arrives afterwards, whatever the server, so this waits until none is requested.
function story.reload()
  story.wait('the semantic tokens', function()
    return lua([[
      for _, client in ipairs(vim.lsp.get_clients()) do
        for _, request in pairs(client.requests) do
          if request.type == 'pending' and request.method:find('semanticTokens', 1, true) then
            return false
          end
        end
      end
      vim.cmd('edit!')
      return true
    ]])
  end)
end

--- Runs an Ex command.
function story.command(text)
  lua('vim.cmd(...)', text)
end

--- Types keys, in the notation of mappings.
function story.type(keys)
  -- Does not wait for a response: the keys may end the child.
  vim.rpcnotify(child, 'nvim_input', keys)
end

--- Waits until `look` returns a true value, and returns it.
function story.wait(what, look)
  local last
  local is_done = vim.wait(TIMEOUT, function()
    last = look()
    return last and true or false
  end, 20)
  if not is_done then
    fail('waited in vain for %s\nmessages: %s', what, messages())
  end
  return last
end

--- Waits until `look` returns exactly `expected`.
function story.wait_for(what, expected, look)
  local last
  local is_done = vim.wait(TIMEOUT, function()
    last = look()
    return vim.deep_equal(last, expected)
  end, 20)
  if not is_done then
    local text = '%s\nexpected: %s\nfound:    %s\nmessages: %s'
    fail(text, what, show(expected), show(last), messages())
  end
end

function story.equal(what, expected, found)
  if not vim.deep_equal(expected, found) then
    fail('%s\nexpected: %s\nfound:    %s', what, show(expected), show(found))
  end
end

function story.contains(what, part, text)
  if not tostring(text):find(part, 1, true) then
    fail('%s\nexpected to contain: %s\nfound: %s', what, part, show(text))
  end
end

--- The problems of a file of the project, as `LINE:COLUMN CODE`, from 1.
function story.problems(path)
  return lua(
    [[
      local buf = vim.fn.bufnr(...)
      local problems = buf == -1 and {} or vim.diagnostic.get(buf)
      table.sort(problems, function(a, b) return a.lnum * 1000 + a.col < b.lnum * 1000 + b.col end)
      return vim.tbl_map(function(it)
        return ('%d:%d %s'):format(it.lnum + 1, it.col + 1, it.code)
      end, problems)
    ]],
    folder .. '/' .. path
  )
end

--- Waits until the problems of a file of the project are these.
function story.wait_for_problems(what, path, expected)
  story.wait_for(what, expected, function()
    return story.problems(path)
  end)
end

--- The text of the floating window; `nil` if there is none.
function story.float()
  local found = lua([[
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(win).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), '\n')
      end
    end
  ]])
  return found ~= vim.NIL and found or nil
end

--- The preview in the current tab: its lines, its bar, and its highlights; `nil` if there is none.
function story.preview()
  local found = lua([[
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(win)
      if vim.bo[buf].filetype == 'promptls-preview' then
        local bar = vim.api.nvim_eval_statusline(vim.wo[win].winbar, { winid = win, use_winbar = true })
        local marks = {}
        for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
          if vim.startswith(name, 'promptls.preview') then
            for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true })) do
              local row, col, details = mark[2], mark[3], mark[4]
              local text = details.end_row
                and table.concat(vim.api.nvim_buf_get_text(buf, row, col, details.end_row, details.end_col, {}), '\n')
                or details.virt_text and details.virt_text[1][1]
                or vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
              local group = details.hl_group or details.line_hl_group or details.virt_text[1][2]
              table.insert(marks, group .. ' ' .. text)
            end
          end
        end
        table.sort(marks)
        return {
          win = win,
          buf = buf,
          text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n'),
          bar = bar.str,
          marks = marks,
          top = vim.fn.line('w0', win),
        }
      end
    end
  ]])
  return found ~= vim.NIL and found or nil
end

--- Opens the preview and waits for it.
function story.open_preview()
  story.command('Promptls preview')
  return story.wait('the preview', story.preview)
end

--- Waits for the text of the preview.
function story.wait_for_preview(what, expected)
  story.wait_for(what, expected, function()
    local preview = story.preview()
    return preview and preview.text
  end)
end

--- The windows of the current tab with the texts of `:Promptls diff`, from left to right. A line
--- with a difference begins with `~`, one that is missing in the other text with `+`.
function story.diff()
  return lua([[
    local found = {}
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(win)
      if vim.bo[buf].filetype == 'promptls-diff' then
        local bar = vim.api.nvim_eval_statusline(vim.wo[win].winbar, { winid = win, use_winbar = true })
        local lines = vim.api.nvim_win_call(win, function()
          local marks = { DiffAdd = '+', DiffChange = '~', DiffText = '~' }
          return vim.tbl_map(function(row)
            local group = vim.fn.synIDattr(vim.fn.diff_hlID(row, 1), 'name')
            return (marks[group] or '') .. vim.fn.getline(row)
          end, vim.fn.range(1, vim.fn.line('$')))
        end)
        table.insert(found, {
          win = win,
          buf = buf,
          name = vim.api.nvim_buf_get_name(buf),
          bar = vim.trim(bar.str),
          text = table.concat(lines, '\n'),
        })
      end
    end
    return found
  ]])
end

--- Waits for both texts of `:Promptls diff`.
function story.wait_for_diff(what, left, right)
  story.wait_for(what, { left, right }, function()
    return vim.tbl_map(function(side)
      return side.text
    end, story.diff())
  end)
end

--- Rows of the screen as displayed, from the first one, trimmed.
function story.screen(rows)
  return lua(
    [[
      vim.cmd.redraw()
      local lines = {}
      for row = 1, ... do
        local cells = {}
        for column = 1, vim.o.columns do
          table.insert(cells, vim.fn.screenstring(row, column))
        end
        table.insert(lines, (table.concat(cells):gsub('%s+$', '')))
      end
      return lines
    ]],
    rows
  )
end

--- Waits until the first rows of the screen are these.
function story.wait_for_screen(what, expected)
  story.wait_for(what, expected, function()
    return story.screen(#expected)
  end)
end

--- Waits for the server to be attached to the current buffer.
function story.attached()
  story.wait('the server', function()
    return lua([[
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'promptls' })[1]
      return client ~= nil and client.initialized == true
    ]])
  end)
end

--- The messages of Neovim.
story.messages = messages

--- Waits until Neovim shows this message.
function story.wait_for_message(what, part)
  story.wait(what, function()
    return messages():find(part, 1, true)
  end)
end

local chunk, broken = loadfile(arg[1])
if not chunk then
  io.stderr:write(broken .. '\n')
  os.exit(2)
end
setfenv(chunk, setmetatable(story, { __index = _G }))
local passed, message = xpcall(function()
  chunk()
  if child and messages():find('stack traceback', 1, true) then
    fail('an error went unnoticed:\n%s', messages())
  end
end, function(message)
  -- The place in the story; the functions here give the reason.
  local place = debug.traceback('', 2):match('/stories/([%w_-]+%.lua:%d+)')
  return ('%s: %s'):format(place or '?', message)
end)
story.stop()
if not passed then
  io.stderr:write(message .. '\n')
end
os.exit(passed and 0 or 1)
