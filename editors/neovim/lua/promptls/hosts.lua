--- Prompts that are strings in code or values in configuration: whether a buffer is worth telling
--- the server of.
---
--- Most code has no prompts, and its editor must not notice us. So code counts where a manifest
--- names a framework, or the buffer itself imports one or has a mark; and configuration where it
--- looks like that of an agent.

local M = {}

--- The filetypes of code.
M.FILETYPES =
  { 'python', 'java', 'kotlin', 'go', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact' }

--- What frameworks are called in manifests and imports, and how marks begin.
local SIGNS = {
  'google[.-]adk',
  'google/adk',
  'org/adk',
  'adk%-java',
  'net%.agentensemble',
  'com%.paragon',
  'agentle',
  'promptls:',
  'language=prompt%-',
}

--- What the configuration of agents and prompts looks like.
local CONFIGURATION = {
  'AgentConfig%.json',
  'agent_class',
  '\ninstruction:',
  'PromptConfig',
  'template_engine',
  'promptls:',
  'language=prompt%-',
}

--- The filetypes of configuration.
local DATA = { 'yaml', 'json', 'jsonc', 'toml', 'markdown' }

--- The files that say what a project uses.
local MANIFESTS = {
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'Pipfile',
  'package.json',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
}

--- Signs stand far above.
local MOST_LINES = 2000

function M.is_code(filetype)
  return vim.tbl_contains(M.FILETYPES, filetype)
end

--- Whether the user wants code to be looked at: `promptls.hosts.enabled`.
local function is_enabled()
  local settings = (require('promptls.server').config().settings or {}).promptls or {}
  local enabled = vim.tbl_get(settings, 'hosts', 'enabled')
  if enabled == nil then
    enabled = settings['hosts.enabled']
  end
  return enabled ~= false
end

local function has_sign(text, signs)
  return vim.iter(signs):any(function(sign)
    return text:find(sign) ~= nil
  end)
end

--- Whether a manifest in a folder or above it names a framework.
local function is_used_in(folder)
  local manifests = vim.fs.find(MANIFESTS, { path = folder, upward = true, limit = 20, type = 'file' })
  return vim.iter(manifests):any(function(path)
    local file = io.open(path)
    local text = file and file:read('*a') or ''
    if file then
      file:close()
    end
    return has_sign(text, SIGNS)
  end)
end

--- Whether the server is told of a buffer for what may be in it.
---@param buf integer
function M.are_in(buf)
  local filetype = vim.bo[buf].filetype
  local is_code = M.is_code(filetype)
  if not (is_code or vim.tbl_contains(DATA, filetype)) or not is_enabled() then
    return false
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, MOST_LINES, false), '\n')
  return has_sign(text, is_code and SIGNS or CONFIGURATION)
    or is_code and is_used_in(vim.fs.dirname(vim.api.nvim_buf_get_name(buf)))
end

return M
