-- That this file is there makes its name a filetype; all prompts are set alike.
vim.cmd.runtime('ftplugin/prompt.lua')
