-- Ghost values: the value of each placeholder in its place, except on the cursor's lines.
file('promptls.toml', "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['session']\n")
file('mail.adk.inputs.json', '{"customer": "Ada Lovelace", "tone": "calm", "note": ""}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob", "tone": "calm"}\n')
file('mail.adk.prompt', 'First\nDear {customer}, be {tone}.\nIn {session}\nNot {missing}\nNote {note}.\n')

local function options()
  return lua('return { vim.wo.conceallevel, vim.wo.concealcursor }')
end

local function ghosts()
  return lua([[
    local namespace = vim.api.nvim_get_namespaces()['promptls.ghosts']
    local found = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      local row, column, details = mark[2], mark[3], mark[4]
      local text = vim.api.nvim_buf_get_text(0, row, column, details.end_row, details.end_col, {})[1]
      local shown = details.virt_text and details.virt_text[1] or { text, details.hl_group }
      table.insert(found, (shown[2] or 'as written') .. ' ' .. shown[1])
    end
    return found
  ]])
end

start()
command('set conceallevel=1 concealcursor=n signcolumn=no')
edit('mail.adk.prompt')
attached()
lua('vim.lsp.inlay_hint.enable(true)')
equal('before', options(), { 1, 'n' })
equal('completion', { 'off', 'on' }, lua("return vim.fn.getcompletion('Promptls ghosts ', 'cmdline')"))

command('Promptls ghosts')
wait_for('the values, and what has none', {
  'PromptlsGhost Ada Lovelace',
  'PromptlsGhost calm',
  'PromptlsGhostRuntime {session}',
  'PromptlsGhostMissing {missing}',
  'PromptlsGhost ⟨⟩',
}, ghosts)
wait_for_screen('values in the place of placeholders', { 'First', 'Dear Ada Lovelace, be calm.' })
equal('while they are on', { 2, '' }, options())
equal('inlay hints', false, lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'))
equal('the text itself', 'Dear {customer}, be {tone}.', lua('return vim.fn.getline(2)'))

-- The cursor's line shows the source text, and so do selected ones.
type('j')
wait_for_screen('the text as it is written', { 'First', 'Dear {customer}, be {tone}.' })
type('k')
wait_for_screen('the values again', { 'First', 'Dear Ada Lovelace, be calm.' })
type('Vj')
wait_for_screen('the selection', { 'First', 'Dear {customer}, be {tone}.' })
type('<Esc>gg')
wait_for_screen('the values again', { 'First', 'Dear Ada Lovelace, be calm.' })

-- They follow edits, undo, and the case.
type('O{tone} {customer}<Esc>j')
wait_for_screen('a new line', { 'calm Ada Lovelace', 'First', 'Dear Ada Lovelace, be calm.' })
type('u')
wait_for_screen('the old text', { 'First', 'Dear Ada Lovelace, be calm.' })
type(':2s/, be {tone}/ and {customer}/<CR>gg')
wait_for_screen('another text', { 'First', 'Dear Ada Lovelace and Ada Lovelace.' })
type('u')
command('Promptls case angry')
type('gg')
wait_for_screen('another case', { 'First', 'Dear Bob, be calm.' })
command('Promptls case default')
wait_for_screen('the first case', { 'First', 'Dear Ada Lovelace, be calm.' })

-- All windows of the prompt; on the cursor's line of one of them, both show the text.
command('split')
wait_for('the new window', { 2, '' }, options)
type('jj')
wait_for_screen('the upper window', { 'First', 'Dear Ada Lovelace, be calm.', 'In {session}' })
command('quit')
wait_for_screen('the first window', { 'First', 'Dear Ada Lovelace, be calm.' })

-- When disabled, everything is as before.
command('Promptls ghosts off')
wait('the text, and hints', function()
  return screen(2)[2]:find('^Dear {customer}.+Ada Lovelace')
end)
equal('after', { 1, 'n' }, options())
equal('inlay hints', true, lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'))
equal('marks', {}, ghosts())
type(':Promptls ghosts maybe<CR>')
wait_for_message('the advice', 'ghosts are `on` or `off`, not `maybe`')

-- Only values on the screen are requested, and more when the user scrolls.
file('long.adk.inputs.json', '{"name": "Ada"}\n')
file('long.adk.prompt', ('Dear {name}\n'):rep(2000))
edit('long.adk.prompt')
attached()
command('Promptls ghosts on')
type('G')
wait_for_screen('the end', { 'Dear Ada', 'Dear Ada' })
type('1000Gzt')
wait('the middle', function()
  return screen(2)[2] == 'Dear Ada'
end)
equal('a few of them', true, #ghosts() < 200)

-- After a restart of the server, they are shown again.
command('Promptls restart')
wait('ghosts of the next server', function()
  return #ghosts() > 0
end)
wait_for_screen('the text under the cursor, and a value', { 'Dear {name}', 'Dear Ada' })
stop()

-- From the start, if the user has enabled them.
start(plugin('{ settings = { promptls = { ghostValues = { enabled = true } } } }'))
edit('long.adk.prompt')
wait_for_screen('a value', { 'Dear {name}', 'Dear Ada' })

-- Text that Markdown could conceal is sent, and stays visible.
file('signs.adk.inputs.json', '{"name": "Ada"}\n')
file('signs.adk.prompt', 'First\n\nDear {name}, **on** [date] &lt;\n\n```sh\nls\n```\n')
edit('signs.adk.prompt')
wait_for_screen('all of it', { 'First', '', 'Dear Ada, **on** [date] &lt;', '', '```sh', 'ls', '```' })

-- Inputs are no prompts: their windows are not changed.
edit('long.adk.inputs.json')
attached()
equal('the window of inputs', 0, lua('return vim.wo.conceallevel'))
edit('long.adk.prompt')
equal('the window of the prompt', 2, lua('return vim.wo.conceallevel'))
edit('long.adk.inputs.json')
command('Promptls ghosts off')
edit('long.adk.prompt')
equal('the window of the prompt', 0, lua('return vim.wo.conceallevel'))
