--- The server: finds, starts and restarts it, and sends requests.
---
--- The differences between Neovim 0.10 and later releases are handled here.

local M = {}

M.NAME = 'promptls'
local NAME = M.NAME
local HAS_CONFIG = vim.fn.has('nvim-0.11') == 1

--- The configuration of the server: `lsp/promptls.lua` with the user's changes.
function M.config()
  if HAS_CONFIG then
    return vim.lsp.config[NAME]
  end
  local file = vim.api.nvim_get_runtime_file('lsp/promptls.lua', false)[1]
  local config = vim.tbl_deep_extend('force', { name = NAME }, dofile(file), vim.g.promptls or {})
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  config.capabilities = vim.tbl_deep_extend('force', capabilities, config.capabilities)
  return config
end

--- The program of the server, or `nil` if the user has set a function instead.
---@return string?
function M.program()
  local cmd = M.config().cmd
  return type(cmd) == 'table' and cmd[1] or nil
end

--- Instructions for a missing program.
function M.how_to_install()
  local where = HAS_CONFIG
      and "vim.lsp.config('promptls', { cmd = { '/path/to/promptls', 'lsp' } })"
    or "vim.g.promptls = { cmd = { '/path/to/promptls', 'lsp' } }"
  return {
    'In a clone of promptls: cargo install --locked --path server',
    'Or set its path: ' .. where,
  }
end

--- Whether the user has enabled the server.
function M.is_enabled()
  if not HAS_CONFIG then
    return true
  end
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(NAME)
  end
  -- Neovim 0.11 has no better way to check; if the check fails, it counts as enabled.
  local has_them, enabled = pcall(function()
    return vim.lsp._enabled_configs[NAME] ~= nil
  end)
  return not has_them or enabled
end

--- Whether the program exists; reports once if it does not.
local function is_installed()
  local program = M.program()
  if not program or vim.fn.executable(program) == 1 then
    return true
  end
  local lines = vim.list_extend({
    ('promptls: the program `%s` was not found, so prompts are not checked.'):format(program),
  }, M.how_to_install())
  vim.notify_once(table.concat(lines, '\n'), vim.log.levels.WARN)
  return false
end

--- Withdraws capabilities whose Neovim implementation causes trouble.
function M.withdraw(capabilities)
  -- Neovim requests problems only of visible buffers (0.12), or not again when another file has
  -- changed (0.10). A prompt would miss changes of its inputs and renames. Without this capability,
  -- the server pushes them.
  capabilities.textDocument.diagnostic = nil
  -- Neovim 0.12 waits for a key press for each file of a labelled edit.
  capabilities.workspace.workspaceEdit.changeAnnotationSupport = nil
end

--- The running server of a buffer.
function M.of(buf)
  return vim.lsp.get_clients({ bufnr = buf, name = NAME })[1]
end

function M.all()
  return vim.lsp.get_clients({ name = NAME })
end

--- Waits for a server that is being started: a command right after opening a prompt is for that
--- server.
function M.await_start(buf)
  local function is_starting()
    -- Without this internal option, which may be removed, there is no waiting.
    local clients = vim.lsp.get_clients({ name = NAME, _uninitialized = true })
    return vim.iter(clients):any(function(client)
      return not client.initialized
    end)
  end
  if not M.of(buf) and is_starting() then
    vim.wait(5000, function()
      return M.of(buf) ~= nil or not is_starting()
    end, 10)
  end
end

--- Attaches a buffer if the server needs it.
function M.start(buf)
  local config = vim.deepcopy(M.config())
  local fits = vim.bo[buf].buftype == '' and vim.tbl_contains(config.filetypes, vim.bo[buf].filetype)
  if not fits then
    return
  end
  local function start(root)
    if is_installed() then
      config.root_dir = root
      vim.lsp.start(config, { bufnr = buf, reuse_client = config.reuse_client })
    end
  end
  if type(config.root_dir) == 'function' then
    config.root_dir(buf, start)
  else
    start(config.root_dir or vim.fs.root(buf, config.root_markers or {}))
  end
end

--- Starts the server for the current folder if no open file belongs to it, and waits for it.
---@return vim.lsp.Client?
function M.start_here()
  if not is_installed() then
    return nil
  end
  local config = vim.deepcopy(M.config())
  config.root_dir = require('promptls.files').project(vim.fn.getcwd() .. '/new.prompt')
  local id
  if HAS_CONFIG then
    id = vim.lsp.start(config, { attach = false })
  else
    id = vim.lsp.start_client(config)
  end
  local client = id and vim.lsp.get_client_by_id(id)
  local has_started = client and vim.wait(5000, function()
    return client.initialized == true
  end, 10)
  return has_started and client or nil
end

--- Called for each file that is a prompt; on Neovim 0.10, also for possible related files.
function M.opened(buf)
  if not HAS_CONFIG then
    M.start(buf)
  elseif M.is_enabled() then
    is_installed()
  end
end

--- Called when code was saved: it may contain prompts now.
function M.written(buf)
  if not M.of(buf) and M.is_enabled() then
    M.start(buf)
  end
end

--- Whether Neovim has stopped watching a buffer.
---
--- It stops permanently if text is typed while no server is attached, as after a crash. The next
--- server then receives the text, but no changes (up to at least 0.12).
local function is_forgotten(buf)
  -- This table is internal to Neovim, and may be removed.
  local _, seen_tick = pcall(function()
    return vim.lsp.util.buf_versions[buf]
  end)
  local is_changed = type(seen_tick) == 'number' and seen_tick ~= vim.api.nvim_buf_get_changedtick(buf)
  return is_changed and #vim.lsp.get_clients({ bufnr = buf }) == 0
end

--- Opens a buffer again in its servers.
local function open_again(buf)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buf })) do
    vim.lsp.buf_detach_client(buf, client.id)
    vim.lsp.buf_attach_client(buf, client.id)
  end
end

--- Sends a change to its servers. The function is internal to Neovim; if it is missing, they
--- receive the whole text.
local function send_change(buf, changedtick, first, last, new_last)
  local is_sent = pcall(function()
    vim.lsp.util.buf_versions[buf] = changedtick
    require('vim.lsp._changetracking').send_changes(buf, first, last, new_last)
  end)
  if not is_sent then
    vim.schedule(function()
      open_again(buf)
    end)
  end
end

--- Watches a buffer instead of Neovim.
local function watch(buf)
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, changedtick, first, last, new_last)
      if #vim.lsp.get_clients({ bufnr = buf }) == 0 then
        return true
      end
      send_change(buf, changedtick, first, last, new_last)
    end,
    on_reload = function()
      open_again(buf)
    end,
    on_detach = function()
      -- For `:edit`. The servers are attached again once the file is read, and so is this.
      for _, client in ipairs(vim.lsp.get_clients({ bufnr = buf })) do
        vim.lsp.buf_detach_client(buf, client.id)
      end
      vim.api.nvim_create_autocmd('LspAttach', {
        buffer = buf,
        once = true,
        callback = function()
          watch(buf)
        end,
      })
    end,
  })
end

local function attach_all()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) then
      if is_forgotten(buf) then
        watch(buf)
      end
      M.start(buf)
    end
  end
end

---@type table<integer, string> -- the URI under which the server has opened each buffer
local addresses = {}

--- Called when the server was attached to a buffer.
function M.attached(buf)
  addresses[buf] = vim.uri_from_bufnr(buf)
end

--- Called when a buffer may have been renamed: for the server, it is then another document. Neovim
--- itself reports this only when the file is saved, and never for the first name (0.12).
function M.renamed(buf)
  local client, known = M.of(buf), addresses[buf]
  if client and known and known ~= vim.uri_from_bufnr(buf) then
    M.notify(client, 'textDocument/didClose', { textDocument = { uri = known } })
    vim.lsp.buf_detach_client(buf, client.id)
    M.start(buf)
  end
end

--- Called when a `promptls.toml` was saved: open files may be prompts now.
function M.configured()
  if M.is_enabled() then
    attach_all()
  end
end

--- Ends all servers and attaches all buffers again; also works after a crash.
function M.restart()
  local running = M.all()
  for _, client in ipairs(running) do
    M.stop(client)
  end
  -- A server that is ending must not be attached again.
  vim.wait(2000, function()
    return #M.all() == 0
  end, 10)
  attach_all()
end

--- Since 0.11, methods of clients take the client as their first argument.
local function call(client, method, ...)
  if HAS_CONFIG then
    return client[method](client, ...)
  end
  return client[method](...)
end

function M.stop(client)
  call(client, 'stop', true)
end

--- Sends a request; calls `on_answer(err, result)`. Returns `false` if the server has ended.
function M.request(client, method, params, buf, on_answer)
  return (call(client, 'request', method, params, on_answer, buf))
end

--- Sends a request and waits for the response for up to `timeout` ms.
---@return table? result
function M.request_now(client, method, params, buf, timeout)
  local reply = call(client, 'request_sync', method, params, timeout, buf)
  return reply and reply.result
end

--- Sends a notification.
function M.notify(client, method, params)
  call(client, 'notify', method, params)
end

--- Runs a command of the server; calls `on_done(result)`. Shows an error if it fails.
function M.execute(client, command, arguments, buf, on_done)
  local params = { command = command, arguments = arguments }
  M.request(client, 'workspace/executeCommand', params, buf, function(err, result)
    if err then
      vim.notify('promptls: ' .. err.message, vim.log.levels.ERROR)
    elseif on_done then
      on_done(result)
    end
  end)
end

--- A setting of the user, such as `promptls.size.encoding`.
function M.setting(buf, section, name)
  local client = M.of(buf)
  local settings = ((client and client.config or M.config()).settings or {}).promptls or {}
  -- Like the server, accepts names with dots, too.
  return vim.tbl_get(settings, section, name) or settings[section .. '.' .. name]
end

--- Instructions for a server that does not support a request.
function M.too_old()
  local program = M.program()
  return ('%s is too old for this; update it (:checkhealth promptls)'):format(
    program and '`' .. program .. '`' or 'the server'
  )
end

--- Forwards the change of a file to the modules that are loaded.
---@param uri string
function M.changed(uri)
  for _, name in ipairs({ 'preview', 'ghosts', 'diff' }) do
    local listener = package.loaded['promptls.' .. name]
    if listener then
      listener.changed(uri)
    end
  end
end

--- Reports that there is no server for a buffer, and how to find out why.
function M.complain(buf)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
  local text = 'promptls: not running for `%s`; see :checkhealth promptls'
  vim.notify(text:format(name == '' and '[No Name]' or name), vim.log.levels.WARN)
end

return M
