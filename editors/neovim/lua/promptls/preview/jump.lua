--- Jumps from a preview to the prompt, and to the places of values.

local api = vim.api
local page = require('promptls.page')
local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

--- Jumps to a place, in the window of the prompt.
---@param preview promptls.Preview
---@param location lsp.Location
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

---@param preview promptls.Preview
local function run_under_cursor(preview)
  local row, column = unpack(api.nvim_win_get_cursor(0))
  return preview.page and page.run_at(preview.page, row - 1, column), row - 1, column
end

--- Jumps to the source of the text under the cursor.
---@param preview promptls.Preview
function M.to_source(preview)
  local run, row, column = run_under_cursor(preview)
  if run then
    local range = page.source_of(preview.page, run, row, column)
    jump(preview, { uri = vim.uri_from_bufnr(preview.prompt), range = range })
  end
end

--- Jumps to the place of the value under the cursor.
---@param preview promptls.Preview
function M.to_value(preview)
  local run = run_under_cursor(preview)
  if run and run.value then
    jump(preview, run.value)
  elseif run and run.kind == 'missing' then
    local text = 'promptls: `%s` has no value; `:Promptls inputs` opens the inputs of this case'
    vim.notify(text:format(run.path or '?'), vim.log.levels.WARN)
  else
    M.to_source(preview)
  end
end

return M
