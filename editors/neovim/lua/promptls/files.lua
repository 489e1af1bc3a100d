--- Which files the server is attached to.
---
--- It is the server that knows what a prompt is; it says nothing about other files. Here
--- is only decided, from names, which files are worth telling it of.

local M = {}

--- Inputs and variables files, packs and the configuration, by their names.
local SIDECARS = {
  '%.inputs%.json$',
  '%.inputs%.ya?ml$',
  '%.variables%.json$',
  '%.variables%.ya?ml$',
  '%.pack%.json$',
  '%.pack%.ya?ml$',
  '^promptls%.toml$',
}

local function is_sidecar(name)
  return vim.iter(SIDECARS):any(function(pattern)
    return name:find(pattern) ~= nil
  end)
end

--- Whether a buffer was made a prompt by its name or by hand.
function M.has_prompt_filetype(buf)
  local filetype = vim.bo[buf].filetype
  return filetype == 'prompt' or vim.startswith(filetype, 'prompt-')
end

--- The folder of the project that a path is in. One server for a project, however many
--- configurations it has.
---@param path string
---@return string
function M.project(path)
  return vim.fs.root(path, { '.git', '.jj', '.hg' })
    or vim.fs.root(path, 'promptls.toml')
    or vim.fs.dirname(path)
end

--- The folder of the project that a file belongs to; `nil` if the server has no use for it.
---
--- Any text may be a prompt, and any JSON its inputs, where a `promptls.toml` says so:
--- below one, all of them are attached. Code is attached where prompts may be in it, and
--- configuration where it looks like that of an agent.
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
  local is_wanted = is_prompt
    or is_sidecar(vim.fs.basename(path))
    or hosts.are_in(buf)
    or vim.fs.root(path, 'promptls.toml')
  return is_wanted and M.project(path) or nil
end

return M
