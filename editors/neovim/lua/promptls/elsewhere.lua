--- Reports the other files that an action has changed: Neovim changes them silently, and they are
--- not on disk until they are saved.

local api = vim.api
local server = require('promptls.server')

local M = {}

--- Requests whose edits may affect several files.
local EDITING = {
  ['codeAction/resolve'] = true,
  ['textDocument/rename'] = true,
  ['workspace/executeCommand'] = true,
}

---@type table<string, table<integer, integer>> -- by request: the previous state of each buffer
local before = {}

--- The change counter of each buffer.
local function ticks()
  local all = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    all[buf] = vim.bo[buf].buftype == '' and api.nvim_buf_get_changedtick(buf) or nil
  end
  return all
end

--- The files, except the current one, that have changed and are not saved.
---@param old table<integer, integer>
local function changed_since(old)
  local names, current = {}, api.nvim_get_current_buf()
  for buf, tick in pairs(ticks()) do
    if buf ~= current and vim.bo[buf].modified and old[buf] ~= tick then
      table.insert(names, vim.fn.fnamemodify(api.nvim_buf_get_name(buf), ':t'))
    end
  end
  table.sort(names)
  return names
end

--- The message, with the first `count` names.
---@param names string[]
local function message(names, count)
  local named = vim.list_slice(names, 1, count)
  if count < #names then
    table.insert(named, ('%d more'):format(#names - count))
  end
  local last = table.remove(named)
  local all = #named > 0 and table.concat(named, ', ') .. ' and ' .. last or last
  return ('promptls: changed %s; `:wall` saves %s'):format(all, #names == 1 and 'it' or 'them')
end

--- Lists as many names as fit: a longer message would wait for a key.
---@param names string[]
local function send_names(names)
  local count = #names
  while count > 1 and vim.fn.strdisplaywidth(message(names, count)) > vim.v.echospace do
    count = count - 1
  end
  vim.notify(message(names, count), vim.log.levels.INFO)
end

--- Handles a request: called for each `LspRequest`.
---@param data { client_id: integer, request_id: integer, request: { type: string, method: string } }
function M.requested(data)
  local client, request = vim.lsp.get_client_by_id(data.client_id), data.request
  if not (client and client.name == server.NAME and EDITING[request.method]) then
    return
  end
  local key = data.client_id .. '/' .. data.request_id
  if request.type == 'pending' then
    before[key] = ticks()
    return
  end
  local old = before[key]
  before[key] = nil
  if old and request.type == 'complete' then
    -- The edit is applied by the response handler, which runs next.
    vim.schedule(function()
      vim.schedule(function()
        local names = changed_since(old)
        if #names > 0 then
          send_names(names)
        end
      end)
    end)
  end
end

return M
