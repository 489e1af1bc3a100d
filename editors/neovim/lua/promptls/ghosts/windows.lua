--- The options of windows while ghosts are enabled, and inlay hints, which would repeat them. Both
--- are restored afterwards.

local M = {}

--- The options with which placeholders are concealed.
local HIDING = { conceallevel = 2, concealcursor = '' }

--- Conceals placeholders in a window. A window that was split off another has these options
--- already.
---@param state promptls.Haunted
function M.adopt(state, win)
  if not state.windows[win] then
    local found, is_copy = {}, state.before ~= nil
    for name, value in pairs(HIDING) do
      found[name] = vim.wo[win][name]
      is_copy = is_copy and found[name] == value
    end
    state.windows[win] = is_copy and state.before or found
    state.before = state.before or found
  end
  for name, value in pairs(HIDING) do
    -- Setting an option redraws the window, even if nothing changes.
    if vim.wo[win][name] ~= value then
      vim.wo[win][0][name] = value
    end
  end
end

--- Restores the options of a window, unless the user has changed them meanwhile.
---@param state promptls.Haunted
function M.release(state, win)
  for name, value in pairs(state.windows[win] or {}) do
    if vim.wo[win][name] == HIDING[name] then
      vim.wo[win][0][name] = value
    end
  end
  state.windows[win] = nil
end

--- Disables inlay hints, which would show the values a second time.
---@param state promptls.Haunted
function M.hide_hints(state)
  if vim.lsp.inlay_hint.is_enabled({ bufnr = state.buf }) then
    state.had_hints = true
    vim.lsp.inlay_hint.enable(false, { bufnr = state.buf })
  end
end

---@param state promptls.Haunted
function M.restore_hints(state)
  if state.had_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = state.buf })
  end
  state.had_hints = false
end

return M
