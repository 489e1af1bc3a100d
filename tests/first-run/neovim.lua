-- A new user of Neovim: the README's lines in init.lua, the README's file, and the keys that it
-- lists.
local function read(path)
  local opened = assert(io.open(path))
  local text = opened:read('*a')
  opened:close()
  return text
end

local readme = read(root .. '/README.md')
local section = assert(readme:match('\n### Neovim.-\n### '), 'the README has a section on Neovim')
start(assert(section:match('```lua\n(.-)```'), 'it has lines for init.lua'))
edit(vim.trim(read(vim.env.HOME .. '/opened-by-nvim')))
command(assert(section:match('`:(Promptls preview)`'), 'it says how to see the preview'))
wait('the preview', function()
  return preview() and preview().text:find('You answer customers of Velo & Sons,', 1, true)
end)
type('ggO{user:name} ')
wait('the preview of what was typed', function()
  return vim.startswith(preview().text, 'Ada Byron \n')
end)
