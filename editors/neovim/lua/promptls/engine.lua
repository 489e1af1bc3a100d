--- Which engine a prompt is shown for: a line of it for the bar, and naming one in
--- `promptls.toml`.

local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

--- What stands for none: then a prompt is read as the document of its dialect says.
local DOCUMENTED = 'documented'

--- `namedBy`, and what else may be left out.
local DEPTH = 1

---@class promptls.Engine
---@field label string
---@field about string
---@field engines string[]
---@field namedBy 'rule'|'setting'|nil
---@field choices { engine: string, title: string, reason: string? }[]

--- Asks for the engine of what a preview shows where that may be another, and calls `draw` with
--- the answer in place. Not for each key: lock files are read for it.
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

--- What the bar says, where an engine is named or could be because the project uses it.
---@param engine promptls.Engine?
---@return promptls.BarPart[]
function M.words(engine)
  if not engine or not (engine.namedBy or (engine.choices[1] or {}).reason) then
    return {}
  end
  return { { engine.label, (engine.label:match('^[^,]*')) } }
end

--- What may be named, for completion.
function M.names(buf)
  local answer = prompt.engine_now(buf)
  local names = vim.tbl_map(function(choice)
    return choice.engine
  end, answer and answer.choices or {})
  return vim.list_extend(names, { DOCUMENTED })
end

--- Says in `promptls.toml` which engine sends a prompt, and saves that.
---@param name string -- `adk-python@2.13`, or `documented`
function M.name(buf, name)
  local client = server.of(buf)
  if not client then
    server.complain(buf)
    return
  end
  local engine = name ~= DOCUMENTED and name or nil
  local arguments = { { uri = vim.uri_from_bufnr(buf), engine = engine } }
  server.execute(client, 'promptls.nameEngine', arguments, buf, function(edited)
    vim.api.nvim_buf_call(vim.uri_to_bufnr(edited.uri), function()
      vim.cmd('silent update')
    end)
  end)
end

--- Lets the user choose the engine of a prompt, those that the project uses first.
function M.pick(buf)
  prompt.request_or_complain(buf, 'promptls/engine', nil, function(answer)
    local choices = vim.list_extend(answer.choices, { { engine = DOCUMENTED, title = 'as documented' } })
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
