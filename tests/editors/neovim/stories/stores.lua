-- `:Promptls store`: a pulled prompt, and the text in its store.
file('promptls.toml', '[stores.dev]\nkind = "filesystem"\nfolder = "dev"\n')
file('dev/mail', 'Dear {{name}}!')
file('other.agentle.prompt', 'Dear {{name}}!')

local pulled = vim.system({ 'promptls', 'store', 'pull', 'dev:mail' }, { cwd = folder, text = true }):wait()
equal('pulled', { 0, 'pulled dev:mail: mail.agentle.prompt, mail.agentle.variables.json, mail.agentle.inputs.json\n' }, { pulled.code, pulled.stderr })
file('mail.agentle.inputs.json', '{"name": "Ada"}\n')
start()
edit('mail.agentle.prompt')
attached()
equal('completion', { 'diff', 'pull', 'push' }, lua("return vim.fn.getcompletion('Promptls store ', 'cmdline')"))

type('GAYours<Esc>')
command('Promptls store diff')
wait_for_diff('what the store has', '~Dear Ada!', '~Dear Ada!Yours')
equal('bars', { 'default in dev', 'default' }, vim.tbl_map(function(side)
  return side.bar
end, diff()))
type('q')

-- Unsaved text is saved before it is pushed.
command('Promptls store push')
wait_for_message('the push', 'pushed mail.agentle.prompt: dev:mail')
equal('the store', { 'Dear {{name}}!Yours' }, vim.fn.readfile(folder .. '/dev/mail', 'b'))

file('dev/mail', 'Hi {{name}}.')
command('Promptls store pull')
wait_for('the text', { 'Hi {{name}}.' }, function()
  return lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
end)

edit('other.agentle.prompt')
attached()
command('Promptls store push')
wait_for_message('the advice', 'was not pulled from a store')
command('Promptls store')
wait_for_message('what there is', 'diff, pull or push')
