-- Prompts in a pack: the preview shows the one at the cursor.
file('mail.pack.json', [[
{
  "id": "mail",
  "template_engine": {"version": "v1", "syntax": "{{variable}}"},
  "prompts": {
    "greet": {"system_template": "Hello {{user}}\n\nHow do you do?"},
    "part": {"system_template": "Good bye, {{user}}"}
  }
}
]])
file('mail.pack.inputs.json', '{"user": "Ada"}\n')
start()
edit('mail.pack.json')
attached()
type('/Hello<CR>')
open_preview()
wait_for_preview('the first prompt', 'Hello Ada\n\nHow do you do?')
type('/bye<CR>')
wait_for_preview('the second prompt', 'Good bye, Ada')
contains('the bar', 'part · default', preview().bar)
type('/Hello<CR>ceHi<Esc>')
wait_for_preview('the first prompt, changed', 'Hi Ada\n\nHow do you do?')
lua('vim.api.nvim_set_current_win(...)', preview().win)
type('$<CR>')
wait_for('the placeholder', { 5, 'mail.pack.json' }, function()
  return lua("return { vim.fn.line('.'), vim.fn.expand('%:t') }")
end)

-- A line break is two characters there; text after one still maps to its source.
local function under_cursor()
  return lua("return { vim.fn.line('.'), vim.fn.getline('.'):sub(vim.fn.col('.')) }")
end
lua('vim.api.nvim_set_current_win(...)', preview().win)
type('G$Fy<CR>')
wait_for('the word', { 5, 'you do?"},' }, under_cursor)

-- There are no ghost values in a pack, which is reported.
command('Promptls ghosts on')
wait_for_message('the reason', 'packs show no ghosts')

-- In a YAML block, lines are indented.
file('note.pack.yaml', [[
id: note
template_engine: {version: v1, syntax: "{{variable}}"}
prompts:
  one:
    system_template: |
      Hello {{user}}

      How do you do?
]])
file('note.pack.inputs.json', '{"user": "Ada"}\n')
edit('note.pack.yaml')
attached()
type('/Hello<CR>')
wait_for_preview('the text of the block', 'Hello Ada\n\nHow do you do?')
lua('vim.api.nvim_set_current_win(...)', preview().win)
type('G$Fy<CR>')
wait_for('the word', { 8, 'you do?' }, under_cursor)
