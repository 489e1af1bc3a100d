-- Prompts in code have all features of others; code without prompts is ignored.
file('plain.py', 'def plan(city):\n    return f"You are in {city}."\n')
file('planner.py', table.concat({
  'from google.adk.agents import LlmAgent',
  '',
  'city = input()',
  'planner = LlmAgent(',
  '    name="planner",',
  '    instruction=f"Plan for {city}: {{task}}, {{mod}}.",',
  ')',
  '',
}, '\n'))
file('planner.planner.inputs.json', '{"task": "a trip", "mood": "gay"}\n')
file('root_agent.yaml', 'name: root\nmodel: m\ninstruction: |\n  Plan {task}.\n')
start()
edit('plain.py')
edit('planner.py')
attached()
equal('the servers of plain code', 0, lua("return #vim.lsp.get_clients({ bufnr = vim.fn.bufnr('plain.py') })"))
wait_for_problems('the misspelt name', 'planner.py', { '6:48 undefined-placeholder' })

type('6G/task<CR>')
command('lua vim.lsp.buf.hover()')
contains('the hover', 'a trip', wait('the hover', float))
command('fclose!')

open_preview()
wait_for_preview('the preview', 'Plan for {city}: a trip, {mod}.')

type('6G/mod<CR>ciwmood<Esc>')
wait_for_problems('no problems', 'planner.py', {})
wait_for_preview('the preview of what is typed', 'Plan for {city}: a trip, gay.')

-- A name in the code is handled by the language's own server.
type('3G0')
equal('what is ours there', vim.NIL, lua([[
  local params = vim.lsp.util.make_position_params(0, 'utf-8')
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000)
  return vim.tbl_values(answers)[1].result or vim.NIL
]]))

-- Once it contains a prompt and is saved, it is a host.
edit('plain.py')
type('ggO# promptls: adk<CR>PLAN = "Go to {place}."<Esc>')
command('write')
attached()

edit('root_agent.yaml')
attached()

-- Where a manifest names a framework, code may load any text. A new one is a prompt once it is saved.
file('shop/requirements.txt', 'google-adk\n')
file('shop/texts/notes.md', 'Notes\n')
file('shop/agent.py', table.concat({
  'from google.adk.agents import LlmAgent',
  'a = LlmAgent(name="a", instruction=open("texts/plan.txt").read(), output_key="plan")',
  '',
}, '\n'))
edit('shop/agent.py')
wait_for_problems('a missing file', 'shop/agent.py', { '2:36 computed-prompt' })
edit('shop/texts/plan.txt')
attached()
equal('the servers', 2, lua('return #vim.lsp.get_clients()'))
type('iGo to {city}.<Esc>:write<CR>')
wait_for_problems('the problem of the text', 'shop/texts/plan.txt', { '1:8 undefined-placeholder' })
wait_for_problems('the file that was missing', 'shop/agent.py', {})
