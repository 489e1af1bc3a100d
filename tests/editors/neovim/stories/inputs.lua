-- The preview of an inputs file is that of its prompt, in the case of these inputs.
file('agent.py', table.concat({
  'from google.adk.agents import LlmAgent',
  "a = LlmAgent(name='a', instruction='Hi {name}.')",
  "b = LlmAgent(name='b', instruction='Bye {name}.')",
  '',
}, '\n'))
file('agent.b.inputs.json', '{"name": "Ada"}\n')
file('agent.b.late.inputs.json', '{"name": "Bob"}\n')
start()
edit('agent.b.late.inputs.json')
attached()
open_preview()
wait_for_preview('the prompt of these inputs', 'Bye Bob.')
type('/Bob<CR>ciwEve<Esc>')
wait_for_preview('what is typed', 'Bye Eve.')
edit('agent.b.inputs.json')
wait_for_preview('another case', 'Bye Ada.')
