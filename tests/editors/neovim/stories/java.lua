-- A prompt in a text block of Java: what is wrong, its values, its name, and the preview.
file('Planner.java', table.concat({
  'import net.agentensemble.Task;',
  '',
  'class Planner {',
  '    Task task = Task.builder()',
  '        .description("""',
  '            Plan {topic},',
  '              {mod}.',
  '            """)',
  '        .expectedOutput("A plan")',
  '        .build();',
  '}',
  '',
}, '\n'))
file('Planner.task.inputs.json', '{"topic": "a trip", "mood": "gay"}\n')
start()
edit('Planner.java')
attached()
wait_for_problems('the misspelt name', 'Planner.java', { '7:16 undefined-placeholder' })
open_preview()
wait_for_preview('the preview', 'Plan a trip,\n  {mod}.')

type('6G/topic<CR>')
command('lua vim.lsp.buf.hover()')
contains('the hover', 'a trip', wait('the hover', float))
command('fclose!')

-- What is typed is shown, and is a prompt while it is.
type('7G0/mod<CR>ciwmood<Esc>')
wait_for_problems('no problems', 'Planner.java', {})
wait_for_preview('the preview of what is typed', 'Plan a trip,\n  gay.')

-- One name in the code and in its inputs.
type('6G0/topic<CR>')
lua("vim.lsp.buf.rename('subject')")
wait_for('the prompt', '            Plan {subject},', function()
  return lua('return vim.fn.getline(6)')
end)
wait_for_preview('the preview of the new name', 'Plan a trip,\n  gay.')
edit('Planner.task.inputs.json')
contains('the inputs', '"subject": "a trip"', lua('return vim.fn.getline(1)'))

-- Another value is what the model gets.
type('0/trip<CR>ciwwalk<Esc>')
wait_for_preview('the preview of another value', 'Plan a walk,\n  gay.')
