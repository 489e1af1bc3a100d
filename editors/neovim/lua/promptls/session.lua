--- Restores previews in sessions: `:mksession` stores only their window and the name of their
--- buffer.

local api = vim.api
local scratch = require('promptls.scratch')
local server = require('promptls.server')

local M = {}

--- The prompt of a preview window in a session; prompts in its tab have priority.
---@return integer? buf
local function prompt_of(title, tab)
  local bufs = vim.tbl_map(api.nvim_win_get_buf, api.nvim_tabpage_list_wins(tab))
  return vim.iter(vim.list_extend(bufs, api.nvim_list_bufs())):find(function(buf)
    return vim.bo[buf].buftype == '' and scratch.title(buf) == title
  end)
end

--- Shows a preview in a window again, once the server is ready.
local function show_in(win, prompt)
  local function open()
    if api.nvim_win_is_valid(win) then
      require('promptls.preview').open_in(win, prompt)
    end
  end
  if server.of(prompt) then
    open()
    return
  end
  api.nvim_create_autocmd('LspAttach', {
    buffer = prompt,
    callback = function()
      if server.of(prompt) then
        vim.schedule(open)
        return true
      end
    end,
  })
end

--- Restores the previews of a session that was just loaded.
function M.restore()
  for _, tab in ipairs(api.nvim_list_tabpages()) do
    for _, win in ipairs(api.nvim_tabpage_list_wins(tab)) do
      local title = api.nvim_buf_get_name(api.nvim_win_get_buf(win)):match('promptls://.*$')
      local prompt = title and prompt_of(title, tab)
      if prompt then
        show_in(win, prompt)
      end
    end
  end
end

return M
