--- Requests about a prompt: its text with the inputs of a case, and its cases.

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

--- The cursor position, which selects a prompt in a pack.
---@return lsp.Position?
function M.position(buf)
  local client, win = server.of(buf), M.window(buf)
  if client and win then
    return vim.lsp.util.make_position_params(win, client.offset_encoding).position
  end
end

---@param more table? -- further fields
local function params(buf, more)
  local which = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  -- A request for a range is for all prompts in it.
  if not (more and more.range) then
    which.position = M.position(buf)
  end
  return vim.tbl_extend('force', which, more or {})
end

--- Replaces `null`, which is `nil` up to Neovim 0.11 and `vim.NIL` since.
---@param depth integer -- the depth to which they are replaced
local function without_nulls(answer, depth)
  if type(answer) ~= 'table' then
    return nil
  end
  for key, value in pairs(answer) do
    if value == vim.NIL then
      answer[key] = nil
    elseif depth > 1 and type(value) == 'table' then
      without_nulls(value, depth - 1)
    end
  end
  return answer
end

--- Sends a request about a buffer. `on_answer(answer, message, is_unknown)` is called later.
--- `answer` is `nil` if the buffer is no prompt, or because of the error in `message`. `is_unknown`
--- is whether the server does not support the request.
---@param more table? -- parameters besides the prompt
---@param depth integer? -- the depth of optional fields in the response
---@return boolean # whether there is a server
function M.request(buf, method, more, on_answer, depth)
  local client = server.of(buf)
  if not client then
    return false
  end
  return server.request(client, method, params(buf, more), buf, function(err, answer)
    local is_unknown = err ~= nil and err.code == vim.lsp.protocol.ErrorCodes.MethodNotFound
    local message = is_unknown and server.too_old() or err and err.message
    on_answer(without_nulls(answer, depth or 1), message, is_unknown)
  end)
end

--- Requests the preview of a buffer; `on_answer` as above. The response has a `resultId`. With that
--- of a previous response, it may contain `edits` instead of the text and the map.
---@param previous string? -- that `resultId`
---@param task string? -- the name of the prompt in a file that no window shows
---@return boolean # whether there is a server
function M.request_preview(buf, previous, on_answer, task)
  local more = { previousResultId = previous or '', task = not M.window(buf) and task or nil }
  return M.request(buf, 'promptls/preview', more, on_answer)
end

--- Whether a response is about a prompt in a buffer, and not about the prompt of its inputs.
function M.is_of(buf, answer)
  return answer.uri == nil or answer.uri == vim.uri_from_bufnr(buf)
end

--- Sends a request about a buffer and waits for the response, for completion in the command line.
local function answer_now(buf, method)
  local client = server.of(buf)
  if client then
    return without_nulls(server.request_now(client, method, params(buf), buf, 500), 1)
  end
end

--- The cases of a buffer.
function M.cases_now(buf)
  return answer_now(buf, 'promptls/cases')
end

--- The engine of a buffer, and the possible ones.
function M.engine_now(buf)
  return answer_now(buf, 'promptls/engine')
end

--- Shows the reason why there is nothing to show for a buffer.
---@param message string? -- the server's error; `nil` if the buffer is no prompt
function M.complain(buf, message)
  if message then
    vim.notify('promptls: ' .. message, vim.log.levels.ERROR)
    return
  end
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
  local text = 'promptls: `%s` is not a prompt; end its name in .prompt, or name it in promptls.toml'
  vim.notify(text:format(name == '' and '[No Name]' or name), vim.log.levels.WARN)
end

--- Sends a request for a user's command; shows an error if there is no response.
function M.request_or_complain(buf, method, more, on_answer, depth)
  local is_sent = M.request(buf, method, more, function(answer, message)
    if answer then
      on_answer(answer)
    else
      M.complain(buf, message)
    end
  end, depth)
  if not is_sent then
    server.complain(buf)
  end
end

return M
