-- Prompts are prose: long lines are wrapped between words, and spelling is checked, but for what
-- stands in braces. They are mostly Markdown, which Neovim brings a parser for.

if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = true

-- The only comments that most models know; the engines send them like all else.
vim.bo.commentstring = '<!-- %s -->'
vim.opt_local.wrap = true
vim.opt_local.linebreak = true
vim.opt_local.breakindent = true
vim.opt_local.spell = true
-- The engine sends what the file ends with: who writes it adds nothing.
vim.bo.fixendofline = false
vim.b.undo_ftplugin = 'setlocal commentstring< fixendofline< wrap< linebreak< breakindent< spell<'
  .. (' | lua require("promptls.markdown").stop(%d)'):format(vim.api.nvim_get_current_buf())

local buf = vim.api.nvim_get_current_buf()
require('promptls.markdown').start(buf)
if require('promptls.long_lines').is_in(buf) then
  require('promptls.long_lines').relieve(buf)
end
