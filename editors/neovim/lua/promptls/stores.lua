--- Prompts that were pulled from a store; the server sends the requests and reports the results.

local server = require('promptls.server')

local M = {}

local function warn(text, ...)
  vim.notify('promptls: ' .. text:format(...), vim.log.levels.WARN)
end

--- Saves the buffer, because a store reads and writes files.
local function save(buf)
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('silent update')
  end)
end

local ACTIONS = {
  diff = function(buf, store)
    require('promptls.diff').open(buf, 'store:' .. store)
  end,
  pull = function(buf, _, client)
    save(buf)
    server.execute(client, 'promptls.pullPrompt', { { uri = vim.uri_from_bufnr(buf) } }, buf, function()
      vim.cmd.checktime(buf)
    end)
  end,
  push = function(buf, _, client, message)
    save(buf)
    local argument = { uri = vim.uri_from_bufnr(buf), message = message ~= '' and message or nil }
    server.execute(client, 'promptls.pushPrompt', { argument }, buf, function() end)
  end,
}

--- Compares a prompt with the text in its store, pulls it or pushes it.
---@param buf integer
---@param action 'diff'|'pull'|'push'|string|nil
---@param message string -- the reason for the change, for `push`
function M.act(buf, action, message)
  local act = ACTIONS[action]
  if not act then
    warn('choose a store command: diff, pull or push')
    return
  end
  require('promptls.cases').with_answer(buf, function(answer)
    if answer.store then
      act(buf, answer.store, server.of(buf), message)
    else
      warn('this prompt was not pulled from a store; run `promptls store pull` first')
    end
  end)
end

return M
