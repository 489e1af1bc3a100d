--- The preview as a page in the browser, served as long as Neovim runs.
---
--- The page shows what is typed here, lights what the cursor is on, and a click on it leads here:
--- it finds the server of this Neovim by itself.

local M = {}

local prompt = require('promptls.prompt')
local server = require('promptls.server')

---@type table<string, vim.SystemObj> -- what serves each prompt
local serving = {}

local function say(text, level)
  vim.schedule(function()
    vim.notify('promptls: ' .. vim.trim(text:gsub('^promptls: ', '')), level)
  end)
end

---@param task string? -- which prompt of a pack
local function serve(program, path, task)
  local key = path .. '\n' .. (task or '')
  if serving[key] then
    -- Its page was closed, or the browser was; another one would be served besides.
    serving[key]:kill('sigterm')
  end
  local arguments = { program, 'preview', '--serve', path }
  vim.list_extend(arguments, task and { '--prompt', task } or {})
  local job
  job = vim.system(arguments, {
    text = true,
    stdout = function(_, address)
      if address then
        say(address, vim.log.levels.INFO)
      end
    end,
    stderr = function(_, complaint)
      if complaint then
        say(complaint, vim.log.levels.WARN)
      end
    end,
  }, function()
    if serving[key] == job then
      serving[key] = nil
    end
  end)
  serving[key] = job
end

vim.api.nvim_create_autocmd('VimLeavePre', {
  group = vim.api.nvim_create_augroup('promptls.browse', {}),
  callback = function()
    for _, job in pairs(serving) do
      job:kill('sigterm')
    end
  end,
})

--- Opens the page of a prompt in the browser; says its address.
function M.open(buf)
  prompt.request_or_complain(buf, 'promptls/cases', nil, function(answer)
    local path = vim.api.nvim_buf_get_name(buf)
    local program = server.program()
    if vim.fn.filereadable(path) == 0 then
      say('write the prompt first; the page is about its file', vim.log.levels.WARN)
    elseif not program then
      say('the page needs the program; `cmd` of the server names none', vim.log.levels.WARN)
    else
      serve(program, path, answer.task)
    end
  end)
end

return M
