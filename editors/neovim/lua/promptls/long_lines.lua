--- Very long lines: Neovim processes a whole line for each key press in it. Finding places to wrap
--- it between words takes by far the longest.

local api = vim.api

local M = {}

--- In bytes.
M.LONGEST = 16 * 1024

--- The options that are disabled in windows with longer lines.
local COSTLY = { linebreak = false, breakindent = false, spell = false }

---@param lines string[]
function M.is_among(lines)
  return vim.iter(lines):any(function(line)
    return #line > M.LONGEST
  end)
end

--- Whether a buffer contains one.
function M.is_in(buf)
  local bytes = api.nvim_buf_get_offset(buf, api.nvim_buf_line_count(buf))
  -- Only then are lines checked: no line is longer than all of them together.
  return bytes > M.LONGEST and M.is_among(api.nvim_buf_get_lines(buf, 0, -1, false))
end

--- Disables slow options in the windows of a buffer.
function M.relieve(buf)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    for name, value in pairs(COSTLY) do
      -- Setting an option redraws the window, even if nothing changes.
      if vim.wo[win][name] ~= value then
        vim.wo[win][0][name] = value
      end
    end
  end
end

return M
