--- Lines that are hardly prose: Neovim looks at all of a line for each key in it, and finding where
--- it may be broken between words takes by far the longest.

local api = vim.api

local M = {}

--- In bytes.
M.LONGEST = 16 * 1024

--- What is not for windows that show longer ones.
local COSTLY = { linebreak = false, breakindent = false, spell = false }

---@param lines string[]
function M.is_among(lines)
  return vim.iter(lines):any(function(line)
    return #line > M.LONGEST
  end)
end

--- Whether there is one in a buffer.
function M.is_in(buf)
  local bytes = api.nvim_buf_get_offset(buf, api.nvim_buf_line_count(buf))
  -- Only then are lines looked at: none is longer than all of them.
  return bytes > M.LONGEST and M.is_among(api.nvim_buf_get_lines(buf, 0, -1, false))
end

--- Has the windows of a buffer show them without delay.
function M.relieve(buf)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    for name, value in pairs(COSTLY) do
      -- Setting an option draws the window again, even if nothing changes.
      if vim.wo[win][name] ~= value then
        vim.wo[win][0][name] = value
      end
    end
  end
end

return M
