--- The engine of a prompt: its text in the bar, and setting it in `promptls.toml`.

local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

--- The name for no engine in the rule: that of the project applies, else the dialect as documented.
local NONE = 'none'

--- `namedBy` and other optional fields.
local DEPTH = 1

---@class promptls.Engine
---@field label string
---@field about string
---@field engines string[]
---@field namedBy 'rule'|'setting'|'language'|'project'|'framework'|nil
---@field choices { engine: string, title: string, reason: string? }[]

--- Requests the engine for a preview if it may have changed, and calls `draw` once the response is
--- stored. Not for each key press, because it reads lock files.
---@param preview promptls.Preview
---@param draw fun(preview: promptls.Preview)
function M.follow(preview, draw)
  local answer = preview.page and preview.page.answer
  local about = answer and { preview.prompt, answer.engine, answer.dialect }
  if not about or vim.deep_equal(about, preview.engine_of) then
    return
  end
  preview.engine_of = about
  prompt.request(preview.prompt, 'promptls/engine', nil, function(engine)
    if vim.api.nvim_buf_is_valid(preview.buf) and preview.engine_of == about then
      preview.engine = engine
      draw(preview)
    end
  end, DEPTH)
end

--- The text for the bar, if an engine is set or the project uses one.
---@param engine promptls.Engine?
---@return promptls.BarPart[]
function M.words(engine)
  if not engine or not (engine.namedBy or (engine.choices[1] or {}).reason) then
    return {}
  end
  return { { engine.label, (engine.label:match('^[^,]*')) } }
end

--- The engine names, for completion.
function M.names(buf)
  local answer = prompt.engine_now(buf)
  local names = vim.tbl_map(function(choice)
    return choice.engine
  end, answer and answer.choices or {})
  return vim.list_extend(names, { NONE })
end

--- Sets the engine of a prompt in `promptls.toml`, and saves the file.
---@param name string -- `adk-python@2.13`, or `none`
function M.name(buf, name)
  local client = server.of(buf)
  if not client then
    server.complain(buf)
    return
  end
  local engine = name ~= NONE and name or nil
  local arguments = { { uri = vim.uri_from_bufnr(buf), position = prompt.position(buf), engine = engine } }
  server.execute(client, 'promptls.nameEngine', arguments, buf, function(edited)
    vim.api.nvim_buf_call(vim.uri_to_bufnr(edited.uri), function()
      vim.cmd('silent update')
    end)
  end)
end

--- Lets the user select the engine of a prompt, those used by the project first.
function M.pick(buf)
  prompt.request_or_complain(buf, 'promptls/engine', nil, function(answer)
    local choices = vim.list_extend(answer.choices, {
      { engine = NONE, title = 'none in the rule: the engine of the project, else as documented' },
    })
    vim.ui.select(choices, {
      prompt = 'Engine (' .. answer.label .. ')',
      kind = 'promptls.engine',
      format_item = function(choice)
        return choice.title .. (choice.reason and ': ' .. choice.reason or '')
      end,
    }, function(choice)
      if choice then
        M.name(buf, choice.engine)
      end
    end)
  end, DEPTH)
end

return M
