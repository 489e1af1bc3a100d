--- The cursor, for pages in a browser that show the same prompt: they light what it is on.

local M = {}

local server = require('promptls.server')
local group = vim.api.nvim_create_augroup('promptls.cursor', {})

local function tell(buf)
  local client = server.of(buf)
  if client then
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    server.tell(client, 'promptls/cursor', params)
  end
end

--- Tells the server of a prompt where the cursor is, from now on.
function M.attach(buf)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI' }, {
    group = group,
    buffer = buf,
    callback = function()
      tell(buf)
    end,
  })
end

return M
