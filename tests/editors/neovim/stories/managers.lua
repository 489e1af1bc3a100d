-- The README's lines for each plugin manager work. If a manager is not available here, the story
-- makes the same changes to the runtime path and the loading of plugins.
local opened = assert(io.open(root .. '/editors/neovim/README.md'))
local readme = opened:read('*a')
opened:close()

--- The code of the README below a heading.
local function lines_for(heading)
  local section = assert(readme:match('\n### ' .. vim.pesc(heading) .. '.-\n(.-)\n##'), heading .. ' is not in the README')
  return assert(section:match('```%w+\n(.-)```'), heading .. ' has no code')
end

-- The clone is where the README assumes it.
local clone = vim.env.HOME .. '/src/promptls'
vim.fn.mkdir(vim.env.HOME .. '/src', 'p')
assert(vim.uv.fs_symlink(root, clone))

file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', 'Dear {custommer},\n')

local function works_with(manager, setup)
  start(setup)
  -- While a manager clones, Neovim already accepts connections.
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
-- Also if filetypes were enabled before.
works_with('no manager, later', 'vim.cmd("filetype plugin indent on")\n' .. lines_for('No plugin manager'))

-- lazy.nvim resets the runtime path, disables Neovim's loading of plugins, and loads those of its
-- table itself; filetype detection comes first.
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

-- vim-plug adds folders to the runtime path at `plug#end()`, and then enables filetypes.
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

-- `vim.pack` is part of Neovim 0.12. It clones the committed files of the clone.
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
-- With a user interface, cloning needs a confirmation.
works_with('vim.pack', 'vim.fn.confirm = function() return 1 end\n' .. lines_for('vim.pack'))
