--- Says which other files an action has changed: Neovim changes them without a word, and they are
--- not on disk until they are written.

local api = vim.api
local server = require('promptls.server')

local M = {}

--- What makes edits of several files.
local EDITING = {
  ['codeAction/resolve'] = true,
  ['textDocument/rename'] = true,
  ['workspace/executeCommand'] = true,
}

---@type table<string, table<integer, integer>> -- by request: each buffer's text as it was
local before = {}

--- The text of each buffer, by a number that each change of it makes larger.
local function ticks()
  local all = {}
  for _, buf in ipairs(api.nvim_list_bufs()) do
    all[buf] = vim.bo[buf].buftype == '' and api.nvim_buf_get_changedtick(buf) or nil
  end
  return all
end

--- The files, but for the one that the user is in, that have changed and are not written.
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

--- What is said of the files when so many of them are named.
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

--- Names as many as there is room for: a longer message would wait for a key.
---@param names string[]
local function tell(names)
  local count = #names
  while count > 1 and vim.fn.strdisplaywidth(message(names, count)) > vim.v.echospace do
    count = count - 1
  end
  vim.notify(message(names, count), vim.log.levels.INFO)
end

--- Takes notice of a request: called for each `LspRequest`.
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
    -- The edit is done by whoever asked, who is told next.
    vim.schedule(function()
      vim.schedule(function()
        local names = changed_since(old)
        if #names > 0 then
          tell(names)
        end
      end)
    end)
  end
end

return M
