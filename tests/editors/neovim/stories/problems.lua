-- A misspelt placeholder is underlined, in whatever file the mistake is mended.
file('mail.adk.inputs.json', '{"customer": "Ada", "topic": "cables"}\n')
file('mail.adk.prompt', 'Write to {custommer} about {topic}.\n')
start()
edit('mail.adk.prompt')
wait_for('the misspelt name', { '1:11 undefined-placeholder' }, function()
  return problems('mail.adk.prompt')
end)

-- Mended in the prompt, by typing.
type('0fmx')
wait_for('no problems', {}, function()
  return problems('mail.adk.prompt')
end)

-- Mistakes in inputs, in a buffer that is not saved.
command('split mail.adk.inputs.json')
type('<Cmd>%s/topic/subject/<CR>')
wait_for('the name that has gone', { '1:28 undefined-placeholder' }, function()
  return problems('mail.adk.prompt')
end)
type('u')
wait_for('no problems after undo', {}, function()
  return problems('mail.adk.prompt')
end)

-- And on disk, by another program.
command('bwipeout!')
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
wait_for('the name that has gone from disk', { '1:28 undefined-placeholder' }, function()
  return problems('mail.adk.prompt')
end)

-- Broken inputs are a problem of their own, and say nothing about names.
file('mail.adk.inputs.json', '{"customer": "Ada", "topic": "cables"}\n')
wait_for('no problems again', {}, function()
  return problems('mail.adk.prompt')
end)
command('split mail.adk.inputs.json')
type('<Cmd>%s/}//<CR>')
wait('the broken inputs', function()
  return #problems('mail.adk.inputs.json') > 0
end)
equal('the prompt, meanwhile', {}, problems('mail.adk.prompt'))
