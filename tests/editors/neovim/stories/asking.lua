-- Hover, completion and jumping to a value.
file('mail.adk.inputs.json', '{\n  "customer": "Ada",\n  "topic": "cables"\n}\n')
file('mail.adk.prompt', 'Žluť: write to {customer}.\nAbout \n')
start()
edit('mail.adk.prompt')
attached()
equal('places are counted in', 'utf-8', lua("return vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding"))

type('gg0fm')
command('lua vim.lsp.buf.hover()')
local text = wait('the hover', float)
contains('the hover', 'Ada', text)
command('fclose!')

command('lua vim.lsp.buf.definition()')
wait_for('the value', { 'mail.adk.inputs.json', 2 }, function()
  return lua("return { vim.fn.expand('%:t'), vim.fn.line('.') }")
end)
type('<C-o>')

type('GA{to')
wait('insert mode', function()
  return lua('return vim.fn.mode()') == 'i'
end)
type('<C-x><C-o>')
local words = wait('completion', function()
  local words = lua([[return vim.tbl_map(function(it) return it.word end, vim.fn.complete_info({ 'items' }).items)]])
  return #words > 0 and words
end)
contains('the first completion', 'topic', words[1])
