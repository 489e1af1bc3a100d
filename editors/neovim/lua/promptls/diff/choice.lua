--- The two texts to compare: named in a command, or selected by the user.

local cases = require('promptls.cases')

local M = {}

---@class promptls.Side
---@field case string?       -- `nil` only for a prompt without inputs
---@field revision string?   -- `HEAD`, the last commit, or `store:NAME`; `nil` for the current text

local function warn(text, ...)
  vim.notify('promptls: ' .. text:format(...), vim.log.levels.WARN)
end

--- Whether a name is that of the last commit or of a store, and not of a case.
local function is_revision(name)
  return name == 'HEAD' or name ~= nil and vim.startswith(name, 'store:')
end

--- The side for a name. A revision uses the case of the other side.
---@param name string? -- of a case, or a revision
---@param other string?
---@return promptls.Side
local function side(name, other)
  if is_revision(name) then
    return { case = not is_revision(other) and other or nil, revision = name }
  end
  return { case = name }
end

--- Lets the user select what the current case is compared with.
local function pick(answer, on_chosen)
  local others = vim.tbl_filter(function(case)
    return case.name ~= answer.case
  end, answer.cases)
  if #others == 0 then
    local has = answer.case and ('there is one case only, `%s`'):format(answer.case) or 'there are no inputs'
    warn('%s; `:Promptls inputs NAME` creates one, `:Promptls diff HEAD` compares with the last commit', has)
    return
  end
  table.insert(others, 'HEAD')
  table.insert(others, answer.store and 'store:' .. answer.store)
  vim.ui.select(others, {
    prompt = ('Compare %s with'):format(answer.case),
    kind = 'promptls.diff',
    format_item = function(case)
      local is_text = type(case) == 'string'
      return case == 'HEAD' and 'HEAD (the last commit)' or is_text and case or cases.label(case)
    end,
  }, function(case)
    if type(case) == 'string' then
      on_chosen({ side(case, answer.case), side(answer.case) })
    elseif case then
      on_chosen({ side(answer.case), side(case.name) })
    end
  end)
end

--- Determines the two sides: two cases, or a case and one of `HEAD` (the last commit) and
--- `store:NAME` (the text in a store). A single one is compared with the selected case; without
--- any, the user selects it. Shows an error if they cannot be compared.
---@param buf integer
---@param left string?
---@param right string?
---@param on_chosen fun(sides: promptls.Side[])
function M.of(buf, left, right, on_chosen)
  cases.with_answer(buf, function(answer)
    if not left then
      pick(answer, on_chosen)
      return
    end
    if not right then
      -- The old text comes before the new one.
      if is_revision(left) then
        right = answer.case
      else
        left, right = answer.case, left
      end
    end
    for _, name in ipairs({ left or 'HEAD', right or 'HEAD' }) do
      if not is_revision(name) and not cases.find(answer, name) then
        cases.complain(name)
        return
      end
    end
    if left == right then
      warn('both sides would be `%s`; name another case, or `HEAD` for the last commit', left)
      return
    end
    on_chosen({ side(left, right), side(right, left) })
  end)
end

return M
