-- Ghost values: what a placeholder stands for, in its place, but where the cursor is.
file('promptls.toml', "[[prompts]]\nfiles = ['*.prompt']\nruntime = ['session']\n")
file('mail.adk.inputs.json', '{"customer": "Ada Lovelace", "tone": "calm"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Bob", "tone": "calm"}\n')
file('mail.adk.prompt', 'First\nDear {customer}, be {tone}.\nIn {session}\nNot {missing}\n')

local function options()
  return lua('return { vim.wo.conceallevel, vim.wo.concealcursor }')
end

local function groups()
  return lua([[
    local namespace = vim.api.nvim_get_namespaces()['promptls.ghosts']
    local found = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      if mark[4].virt_text then
        table.insert(found, mark[4].virt_text[1][2] .. ' ' .. mark[4].virt_text[1][1])
      end
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
wait_for('the values', { 'PromptlsGhost Ada Lovelace', 'PromptlsGhost calm' }, function()
  return vim.list_slice(groups(), 1, 2)
end)
contains('what the application fills in', 'PromptlsGhostRuntime ', groups()[3])
contains('what is missing', 'PromptlsGhostMissing ', groups()[4])
wait_for_screen('values in the place of placeholders', { 'First', 'Dear Ada Lovelace, be calm.' })
equal('while they are on', { 2, '' }, options())
equal('inlay hints', false, lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'))
equal('the text itself', 'Dear {customer}, be {tone}.', lua('return vim.fn.getline(2)'))

-- The cursor's line shows the text as it is written, and so do selected ones.
type('j')
wait_for_screen('the text as it is written', { 'First', 'Dear {customer}, be {tone}.' })
type('k')
wait_for_screen('the values again', { 'First', 'Dear Ada Lovelace, be calm.' })
type('Vj')
wait_for_screen('the selection', { 'First', 'Dear {customer}, be {tone}.' })
type('<Esc>gg')
wait_for_screen('the values again', { 'First', 'Dear Ada Lovelace, be calm.' })

-- They follow what is typed, undone, and the case.
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

-- All windows of the prompt; where the cursor is in one, both show the text.
command('split')
wait_for('the new window', { 2, '' }, options)
type('jj')
wait_for_screen('the upper window', { 'First', 'Dear Ada Lovelace, be calm.', 'In {session}' })
command('quit')
wait_for_screen('the first window', { 'First', 'Dear Ada Lovelace, be calm.' })

-- Off: all is as before.
command('Promptls ghosts off')
wait('the text, and hints', function()
  return screen(2)[2]:find('^Dear {customer}.+Ada Lovelace')
end)
equal('after', { 1, 'n' }, options())
equal('inlay hints', true, lua('return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })'))
equal('marks', {}, groups())
type(':Promptls ghosts maybe<CR>')
wait('the advice', function()
  return messages():find('ghosts are `on` or `off`, not `maybe`', 1, true)
end)
