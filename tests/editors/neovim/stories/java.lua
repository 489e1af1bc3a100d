-- A prompt in a Java text block: its problems, values, names and preview.
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

-- Typed text is shown, and is part of the prompt at once.
type('7G0/mod<CR>ciwmood<Esc>')
wait_for_problems('no problems', 'Planner.java', {})
wait_for_preview('the preview of what is typed', 'Plan a trip,\n  gay.')

-- The name in the code and in its inputs.
type('6G0/topic<CR>')
lua("vim.lsp.buf.rename('subject')")
wait_for('the prompt', '            Plan {subject},', function()
  return lua('return vim.fn.getline(6)')
end)
wait_for_preview('the preview of the new name', 'Plan a trip,\n  gay.')
edit('Planner.task.inputs.json')
contains('the inputs', '"subject": "a trip"', lua('return vim.fn.getline(1)'))

-- Another value changes the resolved text.
type('0/trip<CR>ciwwalk<Esc>')
wait_for_preview('the preview of another value', 'Plan a walk,\n  gay.')
