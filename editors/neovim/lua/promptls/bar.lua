--- The bars above buffers made by the server: their contents, shortened to fit.

local M = {}

---@class promptls.BarPart
---@field group string?     -- its highlight group
---@field [integer] string  -- the text, then shorter alternatives

--- Escapes `%`, which has a meaning in a winbar.
local function plain(text)
  return (text:gsub('%%', '%%%%'):gsub('%s+', ' '))
end

local function styled(group, text)
  return group and ('%%#%s#%s%%*'):format(group, plain(text)) or plain(text)
end

local function width_of(text)
  return vim.fn.strdisplaywidth((text:gsub('%s+', ' ')))
end

--- A number with separators: `1,204`.
---@param number integer
function M.grouped(number)
  local text = tostring(number):reverse():gsub('%d%d%d', '%0,'):reverse()
  return (text:gsub('^,', ''))
end

--- A count with its noun: `3 tokens`, `1 token`.
function M.counted(number, what)
  return M.grouped(number) .. ' ' .. what .. (number == 1 and '' or 's')
end

--- The winbar of a window with a width of `width` columns.
---@param title string
---@param trouble promptls.BarPart? -- a problem of the whole text; shown before all others
---@param parts promptls.BarPart[] -- at the right; the last ones are dropped first
function M.compose(width, title, trouble, parts)
  -- One space at either end, two around the middle.
  local room = width - width_of(title) - 6
  local words = {}
  for index, part in ipairs(parts) do
    words[index] = 1
    room = room - width_of(part[1]) - 2
  end
  local text = trouble and trouble[1] or ''
  local needed = trouble and width_of(text) + 2 or 0
  for index = #parts, 1, -1 do
    local part = parts[index]
    while room < needed and part[words[index]] do
      local shorter = part[words[index] + 1]
      room = room + width_of(part[words[index]]) - (shorter and width_of(shorter) or -2)
      words[index] = words[index] + 1
    end
  end
  if room < needed then
    text = vim.fn.strcharpart(text, 0, math.max(room - 3, 8)) .. '…'
  end
  local all = { styled('PromptlsCase', title) }
  if trouble then
    table.insert(all, styled(trouble.group, text))
  end
  table.insert(all, '%=')
  for index, part in ipairs(parts) do
    if part[words[index]] then
      table.insert(all, styled(part.group, part[words[index]]))
    end
  end
  return ' ' .. table.concat(all, '  ') .. ' '
end

return M
