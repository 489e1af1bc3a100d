-- Windows behave as without a preview.
file('mail.adk.prompt', 'Dear customer,\n')
file('long.adk.prompt', ('line\n'):rep(200) .. 'last\n')
start()
edit('mail.adk.prompt')
attached()

-- The command opens and closes.
open_preview()
command('Promptls preview')
equal('windows', 1, lua("return vim.fn.winnr('$')"))
command('tab Promptls preview')
wait('the preview in a tab', function()
  return lua("return vim.fn.tabpagenr('$')") == 2
end)
command('quit')

-- It closes with the window of its prompt.
edit('long.adk.prompt')
command('split mail.adk.prompt')
open_preview()
command('quit')
wait('the preview to close', function()
  return preview() == nil
end)

-- It keeps its position while text changes elsewhere, and follows the cursor.
attached()
open_preview()
type('G')
wait('the end in the preview', function()
  return preview().top > 100
end)
local top = preview().top
type('Sthe end<Esc>')
wait('the new end', function()
  return preview().text:find('the end', 1, true)
end)
equal('the first line on the screen', top, preview().top)

-- It starts at the cursor, and another prompt at its start.
command('Promptls preview')
open_preview()
wait('the place of the cursor', function()
  return preview().top > 100
end)
file('other.adk.prompt', ('other\n'):rep(200) .. '\n')
edit('other.adk.prompt')
wait('the other prompt', function()
  return vim.startswith(preview().text, 'other')
end)
equal('the first line of it on the screen', 1, preview().top)
command('buffer long.adk.prompt')
wait('the place of the cursor', function()
  return vim.startswith(preview().text, 'line') and preview().top > 100
end)

-- The start of a block produces no text; its contents are shown.
file('block.agentle.prompt', ('line\n'):rep(200) .. '{{#each xs}}\nin it\n{{/each}}\nend\n')
file('block.agentle.inputs.json', '{"xs": [1]}')
edit('block.agentle.prompt')
wait('the prompt with a block', function()
  return preview().text:find('in it', 1, true)
end)
type('/#each<CR>')
wait('what is in the block', function()
  return preview().top > 100
end)
command('buffer long.adk.prompt')
wait('the prompt of before', function()
  return preview().text:find('the end', 1, true)
end)

-- Files of other kinds do not affect it, also when the prompt is not visible.
file('notes.lua', 'return 1\n')
edit('notes.lua')
contains('the preview', 'the end', preview().text)

-- A prompt that is reloaded from disk.
file('long.adk.prompt', 'short\n')
command('buffer! long.adk.prompt')
reload()
wait_for_preview('the text from disk', 'short')

-- Highlights survive a change of the colour scheme.
command('colorscheme habamax')
equal('a highlight', 'String', lua("return vim.api.nvim_get_hl(0, { name = 'PromptlsValue' }).link"))

-- `:q` in the last other window ends Neovim.
lua("vim.cmd('only | Promptls preview')")
wait('the preview', preview)
equal('windows at the end', 2, lua("return vim.fn.winnr('$')"))
type(':q<CR>')
equal('the exit code', 0, exit_code())
