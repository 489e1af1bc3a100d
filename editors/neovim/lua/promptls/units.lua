--- Converts between the server's units, which may be UTF-16, and Neovim's bytes.
---
--- The server also counts bytes, unless other plugins make Neovim announce only UTF-16.

local M = {}

local HAS_NAMED_ENCODINGS = vim.fn.has('nvim-0.11') == 1

---@alias promptls.Encoding 'utf-8'|'utf-16'|'utf-32'

--- The byte of `text` for an offset of the server.
---@param encoding promptls.Encoding
function M.to_byte(text, offset, encoding)
  if encoding == 'utf-8' then
    return offset
  elseif HAS_NAMED_ENCODINGS then
    return vim.str_byteindex(text, encoding, offset, false)
  end
  return vim.str_byteindex(text, offset, encoding == 'utf-16')
end

--- The length of `text` in the server's units.
---@param encoding promptls.Encoding
function M.width(text, encoding)
  if encoding == 'utf-8' then
    return #text
  elseif HAS_NAMED_ENCODINGS then
    return vim.str_utfindex(text, encoding)
  end
  local utf_32, utf_16 = vim.str_utfindex(text)
  return encoding == 'utf-16' and utf_16 or utf_32
end

return M
