--- The files that the server is attached to.
---
--- The server determines which files are prompts, and reports nothing about other files. This
--- module only decides from names which files are sent to it.

local M = {}

--- The names of inputs and variables files, packs and the configuration.
local SIDECARS = {
  '%.inputs%.json$',
  '%.inputs%.ya?ml$',
  '%.inputs%.toml$',
  '%.variables%.json$',
  '%.variables%.ya?ml$',
  '%.variables%.toml$',
  '%.pack%.json$',
  '%.pack%.ya?ml$',
  '^promptls%.toml$',
}

local function is_sidecar(name)
  return vim.iter(SIDECARS):any(function(pattern)
    return name:find(pattern) ~= nil
  end)
end

--- Whether a buffer has a prompt filetype, from its name or set by the user.
function M.has_prompt_filetype(buf)
  local filetype = vim.bo[buf].filetype
  return filetype == 'prompt' or vim.startswith(filetype, 'prompt-')
end

--- The project folder of a path. Each project has one server, however many configurations it has:
--- outside of a repository, an application is one project.
---@param path string
---@return string
function M.project(path)
  return vim.fs.root(path, { '.git', '.jj', '.hg' })
    or vim.fs.root(path, 'promptls.toml')
    or vim.fs.root(path, require('promptls.hosts').is_manifest)
    or vim.fs.dirname(path)
end

--- The project folder of a file; `nil` if the server does not need the file.
---
--- A `promptls.toml` can make any text a prompt, and any JSON its inputs, so below one all of them
--- are attached. Code is attached if it may contain prompts, and configuration if it resembles that
--- of an agent.
---@param buf integer
---@return string?
function M.root(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  local is_prompt = M.has_prompt_filetype(buf)
  if path == '' then
    return is_prompt and vim.fn.getcwd() or nil
  end
  if path:find('^%a[%w+.-]+://') then
    return nil
  end
  local hosts = require('promptls.hosts')
  local is_included = is_prompt
    or is_sidecar(vim.fs.basename(path))
    or hosts.are_in(buf)
    or vim.fs.root(path, 'promptls.toml')
  return is_included and M.project(path) or nil
end

return M
