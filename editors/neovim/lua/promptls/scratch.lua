--- Buffers with text from the server: read-only, without a file, removed with their window.

local api = vim.api

local M = {}

--- The options of a window for prose.
local READING = {
  wrap = true,
  linebreak = true,
  number = false,
  relativenumber = false,
  signcolumn = 'no',
  list = false,
  spell = false,
  colorcolumn = '',
}

---@return integer buf
function M.new()
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].undolevels = -1
  vim.bo[buf].modifiable = false
  return buf
end

--- Sets the options of a window while it shows such a buffer.
---@param more table<string, any>? -- further options
function M.set_window(win, more)
  for name, value in pairs(vim.tbl_extend('force', READING, more or {})) do
    vim.wo[win][0][name] = value
  end
end

--- The title of a buffer made from a prompt: `promptls://support.adk.prompt`.
---@param prompt integer -- its buffer
function M.title(prompt)
  local name = vim.fn.fnamemodify(api.nvim_buf_get_name(prompt), ':t')
  return 'promptls://' .. (name == '' and 'untitled' or name)
end

--- Names a buffer after a prompt: `promptls://support.adk.prompt [angry]`.
---@param prompt integer -- its buffer
---@param suffix string?
function M.name(buf, prompt, suffix)
  local title = M.title(prompt) .. (suffix and ' [' .. suffix .. ']' or '')
  -- Names are unique, and two tabs may show prompts with the same name.
  if not pcall(api.nvim_buf_set_name, buf, title) then
    api.nvim_buf_set_name(buf, title .. '#' .. buf)
  end
end

--- A text as lines; the line break at its end starts no further line.
---@return string[]
function M.lines(text)
  local lines = vim.split(text, '\r?\n')
  if #lines > 1 and lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

--- Replaces the text between two places. Marks after it move with the text.
---@param first [integer, integer] -- row and column
---@param last [integer, integer]
---@param lines string[]
function M.replace(buf, first, last, lines)
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_text(buf, first[1], first[2], last[1], last[2], lines)
  vim.bo[buf].modifiable = false
end

--- Replaces the lines that differ, so that the visible text does not move.
---@return boolean # whether any line differed
function M.write(buf, lines)
  local old = api.nvim_buf_get_lines(buf, 0, -1, true)
  local same = 0
  while same < #old and same < #lines and old[same + 1] == lines[same + 1] do
    same = same + 1
  end
  local same_below = 0
  while
    same_below < #old - same
    and same_below < #lines - same
    and old[#old - same_below] == lines[#lines - same_below]
  do
    same_below = same_below + 1
  end
  if same == #old and same == #lines then
    return false
  end
  vim.bo[buf].modifiable = true
  api.nvim_buf_set_lines(buf, same, #old - same_below, true, vim.list_slice(lines, same + 1, #lines - same_below))
  vim.bo[buf].modifiable = false
  return true
end

return M
