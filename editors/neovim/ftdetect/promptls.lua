-- `support.adk.prompt` is of the filetype `prompt-adk`, `support.prompt` of `prompt`.
-- `*.prompt.md` is left alone: it belongs to other tools.

local DIALECTS = {
  agentensemble = true,
  adk = true,
  entaingine = true,
  promptpack = true,
  agentle = true,
  langfuse = true,
}

vim.filetype.add({
  extension = {
    prompt = function(path)
      local infix = path:match('%.(%w+)%.prompt$')
      return DIALECTS[infix] and 'prompt-' .. infix or 'prompt'
    end,
  },
})
