--- How windows are set while ghosts are on, and inlay hints, which would say the same; and all as
--- it was before, afterwards.

local M = {}

--- What a window must be set to, for placeholders to be hidden.
local HIDING = { conceallevel = 2, concealcursor = '' }

--- Has a window hide placeholders. One that was split off another is set like it already.
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
    -- Setting an option draws the window again, even if nothing changes.
    if vim.wo[win][name] ~= value then
      vim.wo[win][0][name] = value
    end
  end
end

--- Sets a window as it was before, unless the user has set it otherwise meanwhile.
---@param state promptls.Haunted
function M.release(state, win)
  for name, value in pairs(state.windows[win] or {}) do
    if vim.wo[win][name] == HIDING[name] then
      vim.wo[win][0][name] = value
    end
  end
  state.windows[win] = nil
end

--- Inlay hints would show the values a second time.
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
