-- Prompts in a pack: the preview shows the one that the cursor is in.
file('mail.pack.json', [[
{
  "id": "mail",
  "template_engine": {"version": "v1", "syntax": "{{variable}}"},
  "prompts": {
    "greet": {"system_template": "Hello {{user}}"},
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
wait_for_preview('the first prompt', 'Hello Ada')
type('/bye<CR>')
wait_for_preview('the second prompt', 'Good bye, Ada')
type('/Hello<CR>ceHi<Esc>')
wait_for_preview('the first prompt, changed', 'Hi Ada')
lua('vim.api.nvim_set_current_win(...)', preview().win)
type('$<CR>')
wait_for('the placeholder', { 5, 'mail.pack.json' }, function()
  return lua("return { vim.fn.line('.'), vim.fn.expand('%:t') }")
end)
