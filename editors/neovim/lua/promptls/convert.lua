--- Converts a prompt to another dialect.

local new = require('promptls.new')
local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

--- The dialects, from the filetypes.
function M.dialects()
  return vim.tbl_map(function(filetype)
    return (filetype:gsub('^prompt%-', ''))
  end, vim.fn.getcompletion('prompt-', 'filetype'))
end

--- Writes a prompt in another dialect next to it, with its inputs and variables, and opens it.
---@param target string -- `agentle`, `promptpack/promptkit-go`
local function convert(client, buf, target, mods)
  local dialect, engine = target:match('^([^/]*)/?(.*)$')
  local argument = {
    uri = vim.uri_from_bufnr(buf),
    position = prompt.position(buf),
    dialect = dialect,
    engine = engine ~= '' and engine or nil,
  }
  server.execute(client, 'promptls.convertPrompt', { argument }, buf, function(created)
    new.open(created, mods)
  end)
end

--- Converts a prompt to a named dialect, or lets the user select one.
function M.prompt(buf, target, mods)
  local client = server.of(buf)
  if not client then
    server.complain(buf)
  elseif target then
    convert(client, buf, target, mods)
  else
    vim.ui.select(M.dialects(), { prompt = 'Convert to', kind = 'promptls.dialect' }, function(dialect)
      if dialect then
        convert(client, buf, dialect, mods)
      end
    end)
  end
end

return M
