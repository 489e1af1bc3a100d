--- The server: how it is found, started, asked and started again.
---
--- What differs between Neovim 0.10 and later releases stands here.

local M = {}

M.NAME = 'promptls'
local NAME = M.NAME
local HAS_CONFIG = vim.fn.has('nvim-0.11') == 1

--- How the server is started: `lsp/promptls.lua` with the user's changes.
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

--- The program that is run, or `nil` if the user has a function instead.
---@return string?
function M.program()
  local cmd = M.config().cmd
  return type(cmd) == 'table' and cmd[1] or nil
end

--- What to do about a missing program.
function M.how_to_install()
  local where = HAS_CONFIG
      and "vim.lsp.config('promptls', { cmd = { '/path/to/promptls', 'lsp' } })"
    or "vim.g.promptls = { cmd = { '/path/to/promptls', 'lsp' } }"
  return {
    'In a clone of promptls: cargo install --locked --path server',
    'Or say where it is: ' .. where,
  }
end

--- Whether the user wants the server to be started.
function M.is_enabled()
  if not HAS_CONFIG then
    return true
  end
  if vim.lsp.is_enabled then
    return vim.lsp.is_enabled(NAME)
  end
  -- Neovim 0.11 has no better way to ask; what cannot be asked is taken for granted.
  local has_them, enabled = pcall(function()
    return vim.lsp._enabled_configs[NAME] ~= nil
  end)
  return not has_them or enabled
end

--- Whether the program is there; says once what to do if it is not.
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

--- Takes back what Neovim says that it can do, but does so that it is in the way.
function M.take_back(capabilities)
  -- Neovim asks for problems only of what is on the screen (0.12), or not again when another
  -- file has changed (0.10): a prompt would not hear of its inputs, nor of a rename. Now the
  -- server sends them by itself.
  capabilities.textDocument.diagnostic = nil
  -- For each file of a labelled edit, Neovim 0.12 stops until a key is hit.
  capabilities.workspace.workspaceEdit.changeAnnotationSupport = nil
end

--- The running server of a buffer.
function M.of(buf)
  return vim.lsp.get_clients({ bufnr = buf, name = NAME })[1]
end

function M.all()
  return vim.lsp.get_clients({ name = NAME })
end

--- Waits for a server that is being started: who opens a prompt and types a command at once means
--- the server that will be there in a moment.
function M.await_start(buf)
  local function is_starting()
    -- Without this word, which may go one day, it is not waited for.
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

--- Attaches a buffer if the server has a use for it.
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

--- Starts the server for the folder that one is in, where no file is open that it belongs to, and
--- waits for it.
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

--- Called for each file that is a prompt; on Neovim 0.10, also for what may belong to one.
function M.opened(buf)
  if not HAS_CONFIG then
    M.start(buf)
  elseif M.is_enabled() then
    is_installed()
  end
end

--- Called when code was written: it may have prompts now.
function M.written(buf)
  if not M.of(buf) and M.is_enabled() then
    M.start(buf)
  end
end

--- Whether Neovim has stopped to watch a buffer.
---
--- It does so for good when text is typed while no server is there, as after a crash: the
--- next server is told what the text is, but of no change (up to at least 0.12).
local function is_forgotten(buf)
  -- Only Neovim itself is meant to use these numbers, so they may go one day.
  local _, told = pcall(function()
    return vim.lsp.util.buf_versions[buf]
  end)
  local is_changed = type(told) == 'number' and told ~= vim.api.nvim_buf_get_changedtick(buf)
  return is_changed and #vim.lsp.get_clients({ bufnr = buf }) == 0
end

--- Opens a buffer anew in its servers.
local function open_again(buf)
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = buf })) do
    vim.lsp.buf_detach_client(buf, client.id)
    vim.lsp.buf_attach_client(buf, client.id)
  end
end

--- Tells its servers of a change. That is for Neovim itself to use, too: where it is gone, they
--- get all of the text.
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

--- Watches a buffer in place of Neovim.
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
      -- As for `:edit`. The servers come back once the file is read, and so must this.
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

---@type table<integer, string> -- by which address the server knows each buffer
local addresses = {}

--- Called when the server was attached to a buffer.
function M.attached(buf)
  addresses[buf] = vim.uri_from_bufnr(buf)
end

--- Called when a buffer may have got another name: to the server, it is another document then.
--- Neovim itself tells so only when the file is written, and never of the first name (0.12).
function M.renamed(buf)
  local client, known = M.of(buf), addresses[buf]
  if client and known and known ~= vim.uri_from_bufnr(buf) then
    M.tell(client, 'textDocument/didClose', { textDocument = { uri = known } })
    vim.lsp.buf_detach_client(buf, client.id)
    M.start(buf)
  end
end

--- Called when a `promptls.toml` was written: files that are open may be prompts now.
function M.configured()
  if M.is_enabled() then
    attach_all()
  end
end

--- Ends all servers and attaches all buffers anew; also after a crash.
function M.restart()
  local running = M.all()
  for _, client in ipairs(running) do
    M.stop(client)
  end
  -- One that is about to end must not be attached to again.
  vim.wait(2000, function()
    return #M.all() == 0
  end, 10)
  attach_all()
end

--- Methods of clients take the client since 0.11.
local function call(client, method, ...)
  if HAS_CONFIG then
    return client[method](client, ...)
  end
  return client[method](...)
end

function M.stop(client)
  call(client, 'stop', true)
end

--- Asks the server; `on_answer(err, result)`. Returns `false` if it is not running any more.
function M.ask(client, method, params, buf, on_answer)
  return (call(client, 'request', method, params, on_answer, buf))
end

--- Asks the server and waits for up to `timeout` ms.
---@return table? result
function M.ask_now(client, method, params, buf, timeout)
  local reply = call(client, 'request_sync', method, params, timeout, buf)
  return reply and reply.result
end

--- Tells the server something.
function M.tell(client, method, params)
  call(client, 'notify', method, params)
end

--- Has a command of the server done; `on_done(result)`. Says what went wrong if it fails.
function M.execute(client, command, arguments, buf, on_done)
  local params = { command = command, arguments = arguments }
  M.ask(client, 'workspace/executeCommand', params, buf, function(err, result)
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
  -- As the server does, takes names with dots, too.
  return vim.tbl_get(settings, section, name) or settings[section .. '.' .. name]
end

--- What to do about a server that does not know a question.
function M.too_old()
  local program = M.program()
  return ('%s is too old for this; update it (:checkhealth promptls)'):format(
    program and '`' .. program .. '`' or 'the server'
  )
end

--- Hands on that what was said about a file may be old. What is not in use is not loaded.
---@param uri string
function M.changed(uri)
  for _, name in ipairs({ 'preview', 'ghosts', 'diff' }) do
    local listener = package.loaded['promptls.' .. name]
    if listener then
      listener.changed(uri)
    end
  end
end

--- Says that there is no server for a buffer, and where to look.
function M.complain(buf)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
  local text = 'promptls: not running for `%s`; see :checkhealth promptls'
  vim.notify(text:format(name == '' and '[No Name]' or name), vim.log.levels.WARN)
end

return M
