--- Creates a prompt from a template.

local server = require('promptls.server')

local M = {}

--- Lets the user enter the arguments of a template in order; an empty one becomes a placeholder.
local function enter_arguments(template, on_done, values)
  values = values or {}
  local argument = template.arguments[#values + 1]
  if not argument then
    on_done(values)
    return
  end
  local about = argument.description ~= '' and argument.description or argument.name
  local example = argument.example ~= '' and (' (such as %s)'):format(argument.example) or ''
  vim.ui.input({ prompt = about .. example .. ', or nothing for a placeholder: ' }, function(value)
    if value then
      table.insert(values, value)
      enter_arguments(template, on_done, values)
    end
  end)
end

--- Saves the new files: so far, they exist without a text.
local function save_created(path)
  local stem = path:gsub('%.prompt$', '')
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buf].modified and vim.startswith(vim.api.nvim_buf_get_name(buf), stem .. '.') then
      vim.api.nvim_buf_call(buf, function()
        vim.cmd('silent write')
      end)
    end
  end
end

--- Opens a prompt that was just created with other files, and its preview.
---@param created { uri: string }
function M.open(created, mods)
  local file = vim.uri_to_fname(created.uri)
  local command = mods == '' and 'edit' or mods .. ' split'
  vim.cmd(command .. ' ' .. vim.fn.fnameescape(vim.fn.fnamemodify(file, ':.')))
  save_created(file)
  local prompt = vim.api.nvim_get_current_buf()
  server.await_start(prompt)
  require('promptls.preview').open(prompt, '')
end

---@param dialect string? -- that of the project
local function create(client, buf, mods, dialect, template, values)
  local example = ('File, such as mail.%s.prompt: '):format(dialect or 'adk')
  vim.ui.input({ prompt = example, completion = 'file' }, function(name)
    if not name or name == '' then
      return
    end
    local path = vim.fs.normalize(vim.fn.fnamemodify(name, ':p'))
    local argument =
      { uri = vim.uri_from_fname(path), template = template.name, arguments = values }
    server.execute(client, 'promptls.createPrompt', { argument }, buf, function(created)
      M.open(created, mods)
    end)
  end)
end

--- The parameters of a request for templates.
local function params()
  return { folder = vim.uri_from_fname(vim.fn.getcwd()) }
end

--- The server for the templates: that of the buffer, else any. A new user may have none yet.
local function client_for(buf)
  return server.of(buf) or server.all()[1] or server.start_here()
end

--- The names of the templates, for completion in the command line.
function M.names(buf)
  local client = client_for(buf)
  local list = client and server.request_now(client, 'promptls/templates', params(), buf, 500)
  return vim.tbl_map(function(template)
    return template.name
  end, list and list.templates or {})
end

--- Creates a prompt from a template, or lets the user select one if none is named. Opens it with
--- its preview.
function M.prompt(buf, name, mods)
  local client = client_for(buf)
  if not client then
    server.complain(buf)
    return
  end
  local function begin(template, dialect)
    enter_arguments(template, function(values)
      create(client, buf, mods, dialect, template, values)
    end)
  end
  server.request(client, 'promptls/templates', params(), buf, function(err, list)
    if err then
      local is_unknown = err.code == vim.lsp.protocol.ErrorCodes.MethodNotFound
      local text = is_unknown and server.too_old() or err.message
      vim.notify('promptls: ' .. text, vim.log.levels.ERROR)
      return
    end
    for _, reason in ipairs(list.broken) do
      vim.notify('promptls: ' .. reason, vim.log.levels.WARN)
    end
    if not name then
      vim.ui.select(list.templates, {
        prompt = 'Template',
        kind = 'promptls.template',
        format_item = function(template)
          return template.name .. ': ' .. template.summary
        end,
      }, function(template)
        if template then
          begin(template, list.dialect)
        end
      end)
      return
    end
    local template = vim.iter(list.templates):find(function(template)
      return template.name == name
    end)
    if template then
      begin(template, list.dialect)
    else
      local known = vim.tbl_map(function(it)
        return it.name
      end, list.templates)
      local text = ('promptls: unknown template `%s`; there are %s'):format(name, table.concat(known, ', '))
      vim.notify(text, vim.log.levels.WARN)
    end
  end)
end

return M
