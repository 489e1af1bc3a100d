-- `:Promptls diff`: two cases, or now and the last commit, as two texts that follow the prompt.
file('mail.adk.inputs.json', '{"customer": "Ada", "tone": "calm"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob", "tone": "calm"}\n')
file('mail.adk.prompt', 'Dear {customer},\n\nstay {tone}.\n')

local function git(...)
  local command = { 'git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ... }
  local done = vim.system(command, { cwd = folder, text = true }):wait()
  equal('git', { 0, '' }, { done.code, done.stderr })
end

start()
edit('mail.adk.prompt')
attached()
equal('completion', { 'HEAD', 'angry', 'default' }, lua([[
  local found = vim.fn.getcompletion('Promptls diff angry ', 'cmdline')
  table.sort(found)
  return found
]]))

-- Without a commit to compare with, there is an error and nothing opens.
command('Promptls diff HEAD')
wait_for_message('the advice', 'git')
equal('tabs', 1, lua("return vim.fn.tabpagenr('$')"))

-- Without names, the other case is selected.
lua([[
  vim.ui.select = function(items, options, on_choice)
    _G.asked, _G.offered = options.prompt, vim.tbl_map(options.format_item, items)
    on_choice(items[1])
  end
]])
command('Promptls diff')
wait_for_diff('both cases', '~Dear Ada,\n\nstay calm.', '~Dear Bob,\n\nstay calm.')
equal('the question', 'Compare default with', lua('return _G.asked'))
equal('the list', { 'angry', 'HEAD (the last commit)' }, lua('return _G.offered'))
equal('tabs', 2, lua("return vim.fn.tabpagenr('$')"))
local left, right = unpack(diff())
equal('names', { 'promptls://mail.adk.prompt [default]', 'promptls://mail.adk.prompt [angry]' }, { left.name, right.name })
equal('bars', { 'default', 'angry' }, { left.bar, right.bar })
equal('a scratch buffer', { 'nofile', false, false, false }, lua(
  'local o = vim.bo[...] return { o.buftype, o.modifiable, o.swapfile, o.buflisted }',
  left.buf
))

-- They follow the prompt and its inputs, saved or not, wherever these are edited.
command('tabprevious')
type('Gccbe {tone}!<Esc>')
command('tabnext')
wait_for_diff('the new prompt', '~Dear Ada,\n\nbe calm!', '~Dear Bob,\n\nbe calm!')
command('tabprevious')
edit('mail.adk.angry.inputs.json')
type(':%s/calm/curt/<CR>')
command('tabnext')
wait_for_diff('the new inputs', '~Dear Ada,\n\n~be calm!', '~Dear Bob,\n\n~be curt!')
command('tabprevious')
reload()
command('buffer mail.adk.prompt')
command('tabnext')
wait_for_diff('the inputs of the disk', '~Dear Ada,\n\nbe calm!', '~Dear Bob,\n\nbe calm!')

-- Commands apply to its prompt; the engine's error is in the bar.
command('tabprevious')
type('Go{missing}<Esc>')
command('tabnext')
wait('the failure', function()
  local texts = diff()
  return texts[1].bar:find('✗ Context variable not found', 1, true) and texts[2].bar:find('✗', 1, true)
end)
equal('cases', { 'angry' }, lua("return vim.fn.getcompletion('Promptls case a', 'cmdline')"))

-- `q` closes both windows, and returns.
lua('vim.api.nvim_set_current_win(...)', right.win)
type('q')
wait_for('the tab of the prompt', { 1, 'mail.adk.prompt' }, function()
  return lua("return { vim.fn.tabpagenr('$'), vim.fn.expand('%:t') }")
end)
equal('buffers that are left', 0, lua([[
  return #vim.tbl_filter(function(buf)
    return vim.api.nvim_buf_get_name(buf):find('^promptls:') ~= nil
  end, vim.api.nvim_list_bufs())
]]))
type('u')
command('write')

-- The last commit, in the selected case and in another one.
git('init', '--quiet')
git('add', '.')
git('commit', '--quiet', '--message', 'Mail')
type('Gccbe very {tone}!<Esc>')
command('Promptls diff HEAD')
wait_for_diff('the commit and now', 'Dear Ada,\n\n~be calm!', 'Dear Ada,\n\n~be very calm!')
equal('bars', { 'default at HEAD', 'default' }, { diff()[1].bar, diff()[2].bar })

-- Closing one window closes the other.
command('quit')
wait_for('no tab for one half', 1, function()
  return lua("return vim.fn.tabpagenr('$')")
end)
command('Promptls diff angry HEAD')
wait_for_diff('now and the commit', 'Dear Bob,\n\n~be very calm!', 'Dear Bob,\n\n~be calm!')
equal('bars', { 'angry', 'angry at HEAD' }, { diff()[1].bar, diff()[2].bar })

-- A deleted case is reported, and its last text stays.
vim.uv.fs_unlink(folder .. '/mail.adk.angry.inputs.json')
command('tabprevious')
command('bwipeout! mail.adk.angry.inputs.json')
type('Gccbe {tone}<Esc>')
command('tabnext')
wait('what has happened', function()
  return diff()[1].bar:find('there is no case `angry`', 1, true)
end)
contains('the last text', 'be very calm!', diff()[1].text)

-- Closing the prompt closes both.
command('tabprevious')
command('bwipeout! mail.adk.prompt')
wait_for('no diff without a prompt', 1, function()
  return lua("return vim.fn.tabpagenr('$')")
end)

-- Texts that cannot be compared.
file('note.adk.inputs.json', '{"customer": "Ada"}\n')
file('note.adk.prompt', 'For {customer}\n')
edit('note.adk.prompt')
attached()
command('Promptls diff')
wait_for_message('the advice', 'there is one case only, `default`; `:Promptls inputs NAME` creates one')
command('Promptls diff calm')
wait_for_message('the advice', 'there is no case `calm`')
command('Promptls diff default')
wait_for_message('the advice', 'both sides would be `default`')
equal('tabs', 1, lua("return vim.fn.tabpagenr('$')"))

-- A prompt without inputs also has a last commit.
file('plain.adk.prompt', 'Old\n')
git('add', '.')
git('commit', '--quiet', '--message', 'Plain')
edit('plain.adk.prompt')
attached()
type('ccNew<Esc>')
command('Promptls diff HEAD')
wait_for_diff('the commit and now', '~Old', '~New')
equal('names', { 'promptls://plain.adk.prompt [HEAD]', 'promptls://plain.adk.prompt [now]' }, { diff()[1].name, diff()[2].name })

-- A case that is newer than the commit uses the current inputs, with a note.
command('quit')
wait_for('no tab for one half', 1, function()
  return lua("return vim.fn.tabpagenr('$')")
end)
file('plain.adk.inputs.json', '{"customer": "Ada"}\n')
type('ccDear {customer}<Esc>')
command('Promptls diff HEAD')
wait('the note', function()
  local texts = diff()
  return texts[1] and texts[1].bar:find("has no inputs in the last commit; today's are used", 1, true)
end)
