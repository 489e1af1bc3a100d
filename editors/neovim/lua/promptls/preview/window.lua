--- The window of a preview: its place and options.

local api = vim.api
local scratch = require('promptls.scratch')

local M = {}

--- Below this width, in columns, half a window is too narrow for prose.
local MIN_COLUMNS_FOR_TWO = 110

local function set(win)
  scratch.set_window(win, {
    breakindent = true,
    foldcolumn = '0',
    foldenable = false,
    cursorline = false,
    scrollbind = false,
    cursorbind = false,
  })
end

--- Shows a buffer in an existing window.
function M.take(win, buf)
  local before = api.nvim_win_get_buf(win)
  api.nvim_win_set_buf(win, buf)
  -- Without a name, Neovim has already removed it.
  if api.nvim_buf_is_valid(before) and #vim.fn.win_findbuf(before) == 0 then
    api.nvim_buf_delete(before, { force = true })
  end
  set(win)
end

--- Opens a buffer in a split, without moving the cursor there.
---@param buf integer
---@param mods string -- such as `vertical`; empty for beside or below, as fits
function M.open(buf, mods)
  local origin = api.nvim_get_current_win()
  if mods == '' then
    local is_wide = api.nvim_win_get_width(origin) >= MIN_COLUMNS_FOR_TWO
    mods = is_wide and 'vertical belowright' or 'belowright'
  end
  vim.cmd(mods .. ' sbuffer ' .. buf)
  set(api.nvim_get_current_win())
  if api.nvim_win_is_valid(origin) and not mods:find('tab') then
    api.nvim_set_current_win(origin)
  end
end

return M
