--- `:Promptls` and its completion.

local M = {}

--- The prompt of a command: that of the preview if the cursor is in a preview, or in a file next to
--- the prompt.
local function prompt_buffer()
  local buf = vim.api.nvim_get_current_buf()
  local preview, diff = package.loaded['promptls.preview'], package.loaded['promptls.diff']
  local shown = preview and preview.prompt_of(buf) or diff and diff.prompt_of(buf)
  if shown then
    return shown
  end
  local is_prompt = require('promptls.files').has_prompt_filetype(buf)
  return not is_prompt and preview and preview.prompt_in_tab() or buf
end

local function case_names()
  local answer = require('promptls.prompt').cases_now(prompt_buffer())
  return vim.tbl_map(function(case)
    return case.name
  end, answer and answer.cases or {})
end

local function sides()
  local answer = require('promptls.prompt').cases_now(prompt_buffer())
  local store = answer and answer.store
  return vim.list_extend(case_names(), { 'HEAD', store and 'store:' .. store })
end

local function switch_ghosts(word)
  local ghosts, buf = require('promptls.ghosts'), prompt_buffer()
  if word == nil then
    ghosts.switch(not ghosts.is_on(buf), buf)
  elseif word == 'on' or word == 'off' then
    ghosts.switch(word == 'on', buf)
  else
    local text = 'promptls: ghosts are `on` or `off`, not `%s`'
    vim.notify(text:format(word), vim.log.levels.ERROR)
  end
end

local SUBCOMMANDS = {
  browse = {
    run = function()
      require('promptls.browse').open(prompt_buffer())
    end,
  },
  preview = {
    run = function(call)
      require('promptls.preview').toggle(prompt_buffer(), call.mods)
    end,
  },
  case = {
    arguments = case_names,
    run = function(_, name)
      local cases = require('promptls.cases')
      if name then
        cases.select(prompt_buffer(), name)
      else
        cases.pick(prompt_buffer())
      end
    end,
  },
  inputs = {
    arguments = case_names,
    run = function(call, name)
      require('promptls.cases').inputs(prompt_buffer(), name, call.mods)
    end,
  },
  new = {
    arguments = function()
      return require('promptls.new').names(prompt_buffer())
    end,
    run = function(call, name)
      require('promptls.new').prompt(prompt_buffer(), name, call.mods)
    end,
  },
  convert = {
    arguments = function()
      return require('promptls.convert').dialects()
    end,
    run = function(call, dialect)
      require('promptls.convert').prompt(prompt_buffer(), dialect, call.mods)
    end,
  },
  diff = {
    arguments = sides,
    run = function(_, left, right)
      require('promptls.diff').open(prompt_buffer(), left, right)
    end,
  },
  engine = {
    arguments = function()
      return require('promptls.engine').names(prompt_buffer())
    end,
    run = function(_, name)
      local engine = require('promptls.engine')
      if name then
        engine.name(prompt_buffer(), name)
      else
        engine.pick(prompt_buffer())
      end
    end,
  },
  ghosts = {
    arguments = function()
      return { 'off', 'on' }
    end,
    run = function(_, word)
      switch_ghosts(word)
    end,
  },
  size = {
    run = function()
      require('promptls.size').float(prompt_buffer())
    end,
  },
  store = {
    arguments = function()
      return { 'diff', 'pull', 'push' }
    end,
    run = function(_, action, ...)
      require('promptls.stores').act(prompt_buffer(), action, table.concat({ ... }, ' '))
    end,
  },
  restart = {
    run = function()
      require('promptls.server').restart()
    end,
  },
}

local function names()
  local names = vim.tbl_keys(SUBCOMMANDS)
  table.sort(names)
  return names
end

--- Runs `:Promptls SUBCOMMAND [ARGUMENT...]`; `call` is the argument of user commands.
function M.run(call)
  local name = call.fargs[1]
  local subcommand = SUBCOMMANDS[name]
  if not subcommand then
    local message = name and ('there is no `:Promptls %s`; try'):format(name) or 'choose a command:'
    local text = ('promptls: %s %s'):format(message, table.concat(names(), ', '))
    vim.notify(text, vim.log.levels.ERROR)
    return
  end
  require('promptls.server').await_start(prompt_buffer())
  subcommand.run(call, unpack(call.fargs, 2))
end

--- The completions for the end of a command line.
function M.complete(typed, line)
  -- Modifiers such as `vertical` may come before the command.
  local subcommand = line:match('Promptls%s+(%w+)%s')
  local candidates = names()
  if subcommand then
    local arguments = SUBCOMMANDS[subcommand] and SUBCOMMANDS[subcommand].arguments
    candidates = arguments and arguments() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, typed)
  end, candidates)
end

return M
