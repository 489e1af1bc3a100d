--- The preview as a page in the browser, served as long as Neovim runs.
---
--- The page shows unsaved text and highlights the output of the cursor's placeholder; a click on it
--- jumps to its source. It finds the server of this Neovim without configuration.

local M = {}

local prompt = require('promptls.prompt')
local server = require('promptls.server')

---@type table<string, vim.SystemObj> -- the serving process for each prompt
local serving = {}

local function warn(text)
  vim.notify('promptls: ' .. text, vim.log.levels.WARN)
end

--- Shows the address, and whether the user must open it. The program reports a missing browser
--- before the address, so that report is complete here.
local function show_address(address, complaint)
  local is_open = not complaint:find('cannot open a browser', 1, true)
  local text = 'promptls: ' .. vim.trim(address) .. (is_open and '' or ' (open it in a browser)')
  vim.notify(text, is_open and vim.log.levels.INFO or vim.log.levels.WARN)
end

---@param task string? -- the name of a prompt in a pack
local function serve(program, path, task)
  local key = path .. '\n' .. (task or '')
  if serving[key] then
    -- Its page or the browser may be closed; otherwise a second process would serve it.
    serving[key]:kill('sigterm')
  end
  local arguments = { program, 'preview', '--serve', path }
  vim.list_extend(arguments, task and { '--prompt', task } or {})
  local job, complaint, is_reported = nil, '', false
  job = vim.system(arguments, {
    text = true,
    stdout = function(_, address)
      if address and not is_reported then
        is_reported = true
        vim.schedule(function()
          show_address(address, complaint)
        end)
      end
    end,
    stderr = function(_, text)
      complaint = complaint .. (text or '')
    end,
  }, function()
    if serving[key] == job then
      serving[key] = nil
    end
    if not is_reported and complaint ~= '' then
      vim.schedule(function()
        warn((vim.trim(complaint):gsub('^promptls: ', '')))
      end)
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

--- Opens the page of a prompt in the browser, and shows its address.
function M.open(buf)
  prompt.request_or_complain(buf, 'promptls/cases', nil, function(answer)
    local path = vim.api.nvim_buf_get_name(buf)
    local program = server.program()
    if vim.fn.filereadable(path) == 0 then
      warn('save the prompt first; the page shows its file')
    elseif not program then
      warn('the page needs the program, but `cmd` of the server is a function')
    else
      serve(program, path, answer.task)
    end
  end)
end

return M
