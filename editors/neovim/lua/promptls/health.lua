--- `:checkhealth promptls`

local server = require('promptls.server')

local M = {}

--- The version of this plugin and of the matching server.
M.VERSION = '0.1.0'

local health = vim.health

local function check_neovim()
  health.start('Neovim')
  if vim.fn.has('nvim-0.10') == 0 then
    health.error('Neovim is too old', 'promptls requires Neovim 0.10 or later.')
    return false
  end
  health.ok('Neovim ' .. tostring(vim.version()))
  return true
end

local function check_program()
  health.start('The program')
  local program = server.program()
  if not program then
    health.info('`cmd` is a function, so the program is not checked')
    return
  end
  if vim.fn.executable(program) == 0 then
    health.error(('`%s` was not found'):format(program), server.how_to_install())
    return
  end
  local path = vim.fn.exepath(program)
  local ran, result = pcall(function()
    return vim.system({ path, '--version' }, { text = true }):wait(5000)
  end)
  local version = ran and (result.stdout or ''):match('promptls%s+(%S+)')
  if not version then
    health.warn(('`%s --version` does not print a version'):format(path), 'Is it promptls?')
  elseif version ~= M.VERSION then
    local text = '`%s` is version %s, this plugin %s'
    health.warn(text:format(path, version, M.VERSION), 'Update the older one.')
  else
    health.ok(('`%s`, version %s'):format(path, version))
  end
end

local function check_git()
  if vim.fn.executable('git') == 0 then
    health.info('`git` was not found; only `:Promptls diff HEAD` needs it')
  end
end

local function check_enabled()
  health.start('Attached files')
  if not server.is_enabled() then
    health.error('the server is not enabled', "It was disabled by vim.lsp.enable('promptls', false).")
    return
  end
  local clients = server.all()
  if #clients == 0 then
    health.info('No server is running: none is needed before a prompt is opened.')
  end
  for _, client in ipairs(clients) do
    health.ok(('server %d in `%s`'):format(client.id, client.config.root_dir or '?'))
    for buf in pairs(client.attached_buffers) do
      local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':~:.')
      health.info(('%s (%s)'):format(path, vim.bo[buf].filetype))
    end
  end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local is_prompt = require('promptls.files').has_prompt_filetype(buf)
    if is_prompt and vim.api.nvim_buf_is_loaded(buf) and not server.of(buf) then
      local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':~:.')
      health.warn(('`%s` has no server'):format(path), 'Try `:Promptls restart`, and see |vim.lsp.log|.')
    end
  end
  if vim.g.did_load_filetypes == nil then
    health.warn('file types are not detected', 'Write `filetype on` in your configuration.')
  end
end

function M.check()
  if check_neovim() then
    check_program()
    check_git()
    check_enabled()
  end
end

return M
