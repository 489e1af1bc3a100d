--- The cases of a prompt: selects one, and opens its inputs.

local prompt = require('promptls.prompt')
local server = require('promptls.server')

local M = {}

--- Requests the cases of a prompt; shows an error if there is no response.
function M.with_answer(buf, on_answer)
  prompt.request_or_complain(buf, 'promptls/cases', nil, on_answer)
end

--- The case with this name.
function M.find(answer, name)
  return vim.iter(answer.cases):find(function(case)
    return case.name == name
  end)
end

---@type table<integer, table<string, string>> -- the cases that the user has selected, by the buffer
--- and the name of the prompt; the name is empty for a file that is a prompt
local chosen = {}

--- Selects a case of a prompt.
---@param task string? -- the name of the prompt among several
function M.show_case(buf, task, name)
  chosen[buf] = chosen[buf] or {}
  chosen[buf][task or ''] = name
  local arguments = { { uri = vim.uri_from_bufnr(buf), task = task, case = name } }
  server.execute(server.of(buf), 'promptls.selectCase', arguments, buf)
end

--- Selects the previous cases again in a restarted server. Called when a server is attached.
function M.attach(buf)
  for task, name in pairs(chosen[buf] or {}) do
    M.show_case(buf, task ~= '' and task or nil, name)
  end
end

--- Reports an unknown case.
function M.complain(name)
  local text = 'promptls: there is no case `%s`; `:Promptls inputs %s` creates it'
  vim.notify(text:format(name, name), vim.log.levels.WARN)
end

--- Selects the case whose inputs the server shows for a prompt.
function M.select(buf, name)
  M.with_answer(buf, function(answer)
    if M.find(answer, name) then
      M.show_case(buf, answer.task, name)
    else
      M.complain(name)
    end
  end)
end

local function counted(count, what)
  return count > 0 and ('%d %s%s'):format(count, what, count == 1 and '' or 's') or nil
end

--- The counts as words: `2 errors, 1 warning`, or `nil`.
function M.tally(errors, warnings)
  local parts = { counted(errors, 'error') }
  table.insert(parts, counted(warnings, 'warning'))
  return table.concat(parts, ', ')
end

--- A case in a list, with its problems.
function M.label(case)
  local tally = M.tally(case.errors, case.warnings)
  return case.name .. (tally == '' and '' or ' (' .. tally .. ')')
end

--- Lets the user select the case of a prompt.
function M.pick(buf)
  M.with_answer(buf, function(answer)
    if #answer.cases == 0 then
      local text = 'promptls: there are no inputs yet; `:Promptls inputs` creates them'
      vim.notify(text, vim.log.levels.WARN)
      return
    end
    vim.ui.select(answer.cases, {
      prompt = 'Case',
      kind = 'promptls.case',
      format_item = function(case)
        return (case.name == answer.case and '* ' or '  ') .. M.label(case)
      end,
    }, function(case)
      if case then
        M.select(buf, case.name)
      end
    end)
  end)
end

--- Opens a file in the window of the prompt, or in a split if `mods` specifies one.
local function show(uri, buf, mods)
  local path = vim.uri_to_fname(uri)
  local shown = vim.fn.bufwinid(path)
  if shown ~= -1 then
    vim.api.nvim_set_current_win(shown)
    return
  end
  local win = prompt.window(buf)
  if win then
    vim.api.nvim_set_current_win(win)
  end
  local command = mods == '' and 'edit' or mods .. ' split'
  vim.cmd(command .. ' ' .. vim.fn.fnameescape(vim.fn.fnamemodify(path, ':.')))
end

--- Opens the inputs of a case; without a name, those of the current one. Creates them if they are
--- missing; then it selects the new case, and moves the cursor to the first value.
function M.inputs(buf, name, mods)
  M.with_answer(buf, function(answer)
    local case = M.find(answer, name or answer.case)
    if case then
      show(case.uri, buf, mods)
      return
    end
    local arguments = { { uri = vim.uri_from_bufnr(buf), task = answer.task, case = name } }
    server.execute(server.of(buf), 'promptls.createInputs', arguments, buf, function(created)
      show(created.uri, buf, mods)
      if vim.bo.modified then
        -- Neovim has already created it, but without a text.
        vim.cmd('silent write')
      end
      local at = created.position or { line = 0, character = 0 }
      if at ~= vim.NIL and at.line < vim.api.nvim_buf_line_count(0) then
        -- The text before it contains only names.
        vim.api.nvim_win_set_cursor(0, { at.line + 1, at.character })
      end
      if name then
        M.show_case(buf, answer.task, name)
      end
    end)
  end)
end

return M
