-- A misspelt placeholder is underlined, until the mistake is fixed in any file.
file('mail.adk.inputs.json', '{"customer": "Ada", "topic": "cables"}\n')
file('mail.adk.prompt', 'Write to {custommer} about {topic}.\n')
start()
edit('mail.adk.prompt')
wait_for_problems('the misspelt name', 'mail.adk.prompt', { '1:11 undefined-placeholder' })

-- Fixed in the prompt, by typing.
type('0fmx')
wait_for_problems('no problems', 'mail.adk.prompt', {})

-- Mistakes in inputs, in an unsaved buffer.
command('split mail.adk.inputs.json')
type('<Cmd>%s/topic/subject/<CR>')
wait_for_problems('the name that has gone', 'mail.adk.prompt', { '1:28 undefined-placeholder' })
type('u')
wait_for_problems('no problems after undo', 'mail.adk.prompt', {})

-- And on disk, by another program.
command('bwipeout!')
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
wait_for_problems('the name that has gone from disk', 'mail.adk.prompt', { '1:28 undefined-placeholder' })

-- Invalid inputs are a separate problem, and not evidence about names.
file('mail.adk.inputs.json', '{"customer": "Ada", "topic": "cables"}\n')
wait_for_problems('no problems again', 'mail.adk.prompt', {})
command('split mail.adk.inputs.json')
type('<Cmd>%s/}//<CR>')
wait('the broken inputs', function()
  return #problems('mail.adk.inputs.json') > 0
end)
equal('the prompt, meanwhile', {}, problems('mail.adk.prompt'))
