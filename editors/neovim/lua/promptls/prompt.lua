--- What the server answers for a prompt: its text with the inputs of a case, and its cases.

local server = require('promptls.server')

local M = {}

--- The window of the current tab that shows a buffer, the current one first.
function M.window(buf)
  if vim.api.nvim_get_current_buf() == buf then
    return vim.api.nvim_get_current_win()
  end
  local win = vim.fn.bufwinid(buf)
  return win ~= -1 and win or nil
end

local function params(buf, client)
  -- In a pack, the cursor says which prompt is meant.
  local win = M.window(buf)
  local position = win and vim.lsp.util.make_position_params(win, client.offset_encoding).position
  return { textDocument = { uri = vim.uri_from_bufnr(buf) }, position = position }
end

--- `null` is `nil` up to Neovim 0.11, and `vim.NIL` since.
local function without_nulls(answer)
  if type(answer) ~= 'table' then
    return nil
  end
  for key, value in pairs(answer) do
    if value == vim.NIL then
      answer[key] = nil
    end
  end
  return answer
end

--- Asks for the preview of a buffer. `on_answer(answer, message)` comes later: `answer` is
--- `nil` if the buffer is no prompt, or for the reason that `message` states.
---@return boolean # whether there is somebody to ask
function M.ask(buf, on_answer)
  local client = server.of(buf)
  if not client then
    return false
  end
  return server.ask(client, 'promptls/preview', params(buf, client), buf, function(err, answer)
    on_answer(without_nulls(answer), err and err.message)
  end)
end

--- The same, waited for: for completion in the command line.
function M.ask_now(buf)
  local client = server.of(buf)
  if client then
    return without_nulls(server.ask_now(client, 'promptls/preview', params(buf, client), buf, 500))
  end
end

--- Says why there is nothing to show for a buffer.
function M.complain(buf)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
  local text = 'promptls: `%s` is not a prompt; end its name in .prompt, or name it in promptls.toml'
  vim.notify(text:format(name == '' and '[No Name]' or name), vim.log.levels.WARN)
end

return M
