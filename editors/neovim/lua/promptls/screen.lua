--- The visible rows of a buffer: in a text of megabytes, only these are drawn.

local api = vim.api

local M = {}

---@alias promptls.Rows [integer, integer] -- the first and the last one

--- The visible rows of each window, and those with a margin for scrolling.
---@return { seen: promptls.Rows, near: promptls.Rows }[]
local function views(buf)
  local all, count = {}, api.nvim_buf_line_count(buf)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    local margin = api.nvim_win_get_height(win)
    local first, last = vim.fn.line('w0', win) - 1, vim.fn.line('w$', win) - 1
    local near = { math.max(first - margin, 0), math.min(last + margin, count - 1) }
    table.insert(all, { seen = { first, last }, near = near })
  end
  return all
end

--- The visible rows of a buffer, and as many above and below; ordered and disjoint.
---@return promptls.Rows[]
function M.rows(buf)
  local near = vim.tbl_map(function(view)
    return view.near
  end, views(buf))
  table.sort(near, function(a, b)
    return a[1] < b[1]
  end)
  local joined = {}
  for _, rows in ipairs(near) do
    local before = joined[#joined]
    if before and rows[1] <= before[2] + 1 then
      before[2] = math.max(before[2], rows[2])
    else
      table.insert(joined, rows)
    end
  end
  return joined
end

--- Whether these rows include all visible rows.
---@param drawn promptls.Rows[]
function M.is_within(buf, drawn)
  return vim.iter(views(buf)):all(function(view)
    return vim.iter(drawn):any(function(rows)
      return rows[1] <= view.seen[1] and view.seen[2] <= rows[2]
    end)
  end)
end

return M
