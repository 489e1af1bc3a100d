--- Prompts in strings of code or values of configuration: whether the server needs a buffer.
---
--- Most code contains no prompts, and editing it must not be affected. So a buffer counts only if a
--- manifest names a framework, because code may then load any text and any data. Otherwise, code
--- must import a framework or contain a mark, and configuration must resemble that of an agent.

local signs = require('promptls.signs')

local M = {}

--- The filetypes of code.
M.FILETYPES = signs.languages

--- The filetypes of configuration, and of texts that code may load.
local DATA = { 'yaml', 'json', 'jsonc', 'toml', 'markdown', 'text' }

--- Signs are near the start of a file.
local MOST_LINES = 2000

function M.is_code(filetype)
  return vim.tbl_contains(M.FILETYPES, filetype)
end

--- Whether the user has enabled prompts in code: `promptls.hosts.enabled`.
local function is_enabled()
  local settings = (require('promptls.server').config().settings or {}).promptls or {}
  local enabled = vim.tbl_get(settings, 'hosts', 'enabled')
  if enabled == nil then
    enabled = settings['hosts.enabled']
  end
  return enabled ~= false
end

local function has_one(text, words)
  return vim.iter(words):any(function(word)
    return text:find(word, 1, true) ~= nil
  end)
end

--- The names of manifests as Lua patterns: `*` matches anything.
local MANIFESTS = vim.tbl_map(function(name)
  return '^' .. vim.pesc(name):gsub('%%%*', '.*') .. '$'
end, signs.manifests)

--- Whether a file is the manifest of an application, by its name.
---@param name string
function M.is_manifest(name)
  return vim.iter(MANIFESTS):any(function(pattern)
    return name:find(pattern) ~= nil
  end)
end

--- Whether a manifest in a folder or above it names a framework.
local function is_used_in(folder)
  local manifests = vim.fs.find(M.is_manifest, { path = folder, upward = true, limit = 20, type = 'file' })
  return vim.iter(manifests):any(function(path)
    local file = io.open(path)
    local text = file and file:read('*a') or ''
    if file then
      file:close()
    end
    return has_one(text, signs.manifestSigns)
  end)
end

--- Whether the server needs a buffer because of prompts in it.
---@param buf integer
function M.are_in(buf)
  local filetype = vim.bo[buf].filetype
  local is_code = M.is_code(filetype)
  if not (is_code or vim.tbl_contains(DATA, filetype)) or not is_enabled() then
    return false
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, MOST_LINES, false), '\n')
  return has_one(text, is_code and signs.codeSigns or signs.dataSigns)
    or is_used_in(vim.fs.dirname(vim.api.nvim_buf_get_name(buf)))
end

return M
