-- `:help promptls` works without `:helptags`, and its tags are those in the text.
start()
command('help promptls')
equal('the help', 'promptls.txt', lua("return vim.fn.expand('%:t')"))
command('help :Promptls-preview')
equal('the help', 'promptls.txt', lua("return vim.fn.expand('%:t')"))

local function read(path)
  local opened = assert(io.open(path))
  local text = opened:read('*a')
  opened:close()
  return text
end

local doc = root .. '/editors/neovim/doc/'
file('doc/promptls.txt', read(doc .. 'promptls.txt'))
command('helptags doc')
equal('doc/tags is as `:helptags` makes it', read(folder .. '/doc/tags'), read(doc .. 'tags'))
