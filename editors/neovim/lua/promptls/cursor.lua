--- Sends the cursor position, so that pages in a browser highlight its output.

local M = {}

local server = require('promptls.server')
local group = vim.api.nvim_create_augroup('promptls.cursor', {})

local function send_cursor(buf)
  local client = server.of(buf)
  if client then
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    server.notify(client, 'promptls/cursor', params)
  end
end

--- Sends the cursor position in a prompt to its server from now on.
function M.attach(buf)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI' }, {
    group = group,
    buffer = buf,
    callback = function()
      send_cursor(buf)
    end,
  })
end

return M
