-- Errors are visible, and the last good state stays.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', 'Dear {customer}, {note?}{date}\n')
start()
edit('mail.adk.prompt')
attached()
open_preview()
contains('the bar', '✗ Context variable not found: date', preview().bar)
contains('the text', 'Dear Ada, {date}', preview().text)

-- Invalid inputs: the last good text, marked as such.
command('split mail.adk.inputs.json')
type('<Cmd>%s/Ada.*/Bob/<CR>')
wait('the bar to say so', function()
  return preview().bar:find('out of date: mail.adk.inputs.json:1: ', 1, true)
end)
contains('the last good text', 'Dear Ada,', preview().text)
type('<Cmd>%s/Bob/Bob"}/<CR>')
wait('the new text', function()
  return vim.startswith(preview().text, 'Dear Bob,')
end)

-- A `%` in a name is no format of the bar, and control characters do not affect the screen.
command('wincmd p')
type('S{app%=na}<Esc>')
wait('the percent sign', function()
  return preview().text == '{app%=na}'
end)

-- A prompt that is no longer one.
file('rules/promptls.toml', '[[prompts]]\nfiles = ["a.txt"]\ndialect = "adk"\n')
file('rules/a.txt', 'Text\n')
edit('rules/a.txt')
wait_for_preview('the prompt by a rule', 'Text')
file('rules/promptls.toml', '')
wait('the bar to say so', function()
  return preview().bar:find('not a prompt', 1, true)
end)
