-- The lines in the READMEs work.
local function snippet(path, heading)
  local opened = assert(io.open(root .. '/' .. path))
  local text = opened:read('*a')
  opened:close()
  local section = heading and text:match('\n[^\n]*' .. heading .. '.*') or text
  return section:match('```lua\n(.-)```')
end

-- The clone is where the README assumes it.
vim.fn.mkdir(vim.env.HOME .. '/src', 'p')
assert(vim.uv.fs_symlink(root, vim.env.HOME .. '/src/promptls'))

file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', 'Dear {custommer},\n')
for path, heading in pairs({ ['editors/neovim/README.md'] = false, ['README.md'] = 'Neovim' }) do
  local code = assert(snippet(path, heading), path .. ' has no snippet')
  -- Only the plugin supports 0.10.
  if not is_0_10 or code:find('if vim.lsp.enable', 1, true) then
    start(code)
    edit('mail.adk.prompt')
    wait_for_problems('the problem, with ' .. path, 'mail.adk.prompt', { '1:7 undefined-placeholder' })
    if code:find('runtimepath', 1, true) then
      open_preview()
    end
    stop()
  end
end
