--- The window of a preview: where it opens, and how it is set.

local api = vim.api
local scratch = require('promptls.scratch')

local M = {}

--- Below this width, halves of a window are too narrow to read prose in.
local MIN_COLUMNS_FOR_TWO = 110

--- Opens a buffer in a split, and stays where the cursor is.
---@param buf integer
---@param mods string -- such as `vertical`; empty for beside or below, as fits
function M.open(buf, mods)
  local origin = api.nvim_get_current_win()
  if mods == '' then
    local is_wide = api.nvim_win_get_width(origin) >= MIN_COLUMNS_FOR_TWO
    mods = is_wide and 'vertical belowright' or 'belowright'
  end
  vim.cmd(mods .. ' sbuffer ' .. buf)
  scratch.set_window(api.nvim_get_current_win(), {
    breakindent = true,
    foldcolumn = '0',
    foldenable = false,
    cursorline = false,
    scrollbind = false,
    cursorbind = false,
  })
  if api.nvim_win_is_valid(origin) and not mods:find('tab') then
    api.nvim_set_current_win(origin)
  end
end

return M
