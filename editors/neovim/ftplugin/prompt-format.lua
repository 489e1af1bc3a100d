-- The existence of this file defines the filetype; all prompts have the same settings.
vim.cmd.runtime('ftplugin/prompt.lua')
