-- The lines of the README for each manager of plugins do what they say. Where a manager cannot be
-- had here, the story does the same to the runtime path and to the loading of plugins.
local opened = assert(io.open(root .. '/editors/neovim/README.md'))
local readme = opened:read('*a')
opened:close()

--- The code of the README under a heading.
local function lines_for(heading)
  local section = assert(readme:match('\n### ' .. vim.pesc(heading) .. '.-\n(.-)\n##'), heading .. ' is not in the README')
  return assert(section:match('```%w+\n(.-)```'), heading .. ' has no code')
end

-- The clone stands where they assume it.
local clone = vim.env.HOME .. '/src/promptls'
vim.fn.mkdir(vim.env.HOME .. '/src', 'p')
assert(vim.uv.fs_symlink(root, clone))

file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', 'Dear {custommer},\n')

local function works_with(manager, setup)
  start(setup)
  -- While a manager clones, Neovim listens already.
  wait('the end of the start', function()
    return lua('return vim.v.vim_did_enter') == 1
  end)
  edit('mail.adk.prompt')
  equal('the file type, with ' .. manager, 'prompt-adk', lua('return vim.bo.filetype'))
  wait_for_problems('the problem, with ' .. manager, 'mail.adk.prompt', { '1:7 undefined-placeholder' })
  open_preview()
  contains('inputs are attached, with ' .. manager, 'promptls', lua([[
    vim.cmd.edit('mail.adk.inputs.json')
    vim.wait(5000, function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
    return (vim.lsp.get_clients({ bufnr = 0 })[1] or {}).name
  ]]))
  stop()
end

works_with('no manager', lines_for('No plugin manager'))
-- Also where file types were switched on before.
works_with('no manager, later', 'vim.cmd("filetype plugin indent on")\n' .. lines_for('No plugin manager'))

-- lazy.nvim forgets the runtime path, has Neovim load no plugins, and loads those of its table
-- itself; what detects file types before all else.
works_with('lazy.nvim', [[
  package.preload.lazy = function()
    return { setup = function(specs)
      vim.go.loadplugins = false
      vim.go.runtimepath = vim.env.VIMRUNTIME
      local function source(dir, kind)
        for _, path in ipairs(vim.fn.glob(dir .. '/' .. kind .. '/*.lua', true, true)) do
          vim.cmd.source(path)
        end
      end
      for _, spec in ipairs(specs) do
        assert(spec.lazy == false, 'it would be loaded for a key or an event')
        local dir = vim.fn.expand(spec.dir)
        source(dir, 'ftdetect')
        vim.opt.runtimepath:prepend(dir)
        source(dir, 'plugin')
      end
      vim.cmd('filetype plugin indent on')
      vim.cmd.runtime({ 'plugin/**/*.{vim,lua}', bang = true })
    end }
  end
]] .. lines_for('lazy.nvim'))

-- vim-plug puts folders onto the runtime path at `plug#end()`, and then switches file types on.
file('plug.vim', [[
  function! plug#begin(...) abort
    let g:plugs = []
    command! -nargs=1 Plug call add(g:plugs, expand(<args>))
    filetype off
  endfunction
  function! plug#end() abort
    let &runtimepath = join(g:plugs + [&runtimepath], ',')
    filetype plugin indent on
    syntax enable
  endfunction
]])
works_with('vim-plug', ('vim.cmd.source(%q)\nvim.cmd([==[\n%s]==])'):format(folder .. '/plug.vim', lines_for('vim-plug')))

-- `vim.pack` is part of Neovim 0.12. It clones what the clone has committed.
if vim.fn.has('nvim-0.12') == 0 then
  return
end
local source = vim.env.HOME .. '/source'
vim.fn.mkdir(source .. '/editors', 'p')
local function run(...)
  local done = vim.system({ ... }, { cwd = source, text = true }):wait()
  assert(done.code == 0, done.stderr)
end
run('cp', '-r', root .. '/editors/neovim', 'editors/')
run('git', 'init', '--quiet')
run('git', 'add', '.')
run('git', '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--message', 'x')
assert(vim.uv.fs_unlink(clone))
assert(vim.uv.fs_rename(source, clone))
-- Somebody who is there is asked before anything is cloned.
works_with('vim.pack', 'vim.fn.confirm = function() return 1 end\n' .. lines_for('vim.pack'))
