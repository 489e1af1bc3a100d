-- `support.adk.prompt` has the filetype `prompt-adk`, `support.prompt` has `prompt`. The files in
-- `ftplugin/` define the filetypes. `*.prompt.md` is ignored: it belongs to other tools.

-- Plugin managers detect filetypes before the folder of a plugin is on the runtime path.
local folder = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

vim.filetype.add({
  extension = {
    prompt = function(path)
      local filetype = 'prompt-' .. (path:match('%.(%w+)%.prompt$') or '')
      return vim.uv.fs_stat(folder .. '/ftplugin/' .. filetype .. '.lua') and filetype or 'prompt'
    end,
  },
})
