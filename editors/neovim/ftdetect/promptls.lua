-- `support.adk.prompt` is of the filetype `prompt-adk`, `support.prompt` of `prompt`; which there
-- are, the files in `ftplugin/` say. `*.prompt.md` is left alone: it belongs to other tools.

-- Managers of plugins detect file types before the folder of a plugin is on the runtime path.
local folder = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

vim.filetype.add({
  extension = {
    prompt = function(path)
      local filetype = 'prompt-' .. (path:match('%.(%w+)%.prompt$') or '')
      return vim.uv.fs_stat(folder .. '/ftplugin/' .. filetype .. '.lua') and filetype or 'prompt'
    end,
  },
})
