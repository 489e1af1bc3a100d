-- Prompts are prose: long lines are wrapped between words, and spelling is checked except in
-- braces. Most are Markdown, for which Neovim has a parser.

if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = true

-- The only comment syntax that most models recognize; the engines send comments unchanged.
vim.bo.commentstring = '<!-- %s -->'
vim.opt_local.wrap = true
vim.opt_local.linebreak = true
vim.opt_local.breakindent = true
vim.opt_local.spell = true
-- The engine sends the end of the file unchanged, so saving must not add a line break.
vim.bo.fixendofline = false
vim.b.undo_ftplugin = 'setlocal commentstring< fixendofline< wrap< linebreak< breakindent< spell<'
  .. (' | lua require("promptls.markdown").stop(%d)'):format(vim.api.nvim_get_current_buf())

local buf = vim.api.nvim_get_current_buf()
require('promptls.markdown').start(buf)
if require('promptls.long_lines').is_in(buf) then
  require('promptls.long_lines').relieve(buf)
end
