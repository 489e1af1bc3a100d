-- A name that one agent sets and another one uses, in two files of code.
file('package.json', '{"name": "agents"}\n')
file('planner.ts', table.concat({
  "import { LlmAgent } from '@google/adk';",
  '',
  "export const planner = new LlmAgent({ name: 'planner', instruction: 'Plan a day.', outputKey: 'day_plan' });",
  '',
}, '\n'))
file('writer.ts', table.concat({
  "import { LlmAgent } from '@google/adk';",
  '',
  'export const writer = new LlmAgent({',
  "  name: 'writer',",
  '  instruction: `Write about {day_plan}.`,',
  '});',
  '',
}, '\n'))

start()
edit('writer.ts')
attached()
wait_for_problems('a name that is set', 'writer.ts', {})

-- The places that set it. All files are analyzed in the background.
type('5G0/day_plan<CR>')
wait('who sets it', function()
  local found = lua([[
    local params = vim.lsp.util.make_position_params(0, 'utf-16')
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000)
    local result = answers and vim.tbl_values(answers)[1].result
    return result and result.contents.value
  ]])
  return found and found:find('planner.ts', 1, true)
end)
command('lua vim.lsp.buf.definition()')
wait_for('where it is set', { 'planner.ts', 3 }, function()
  return lua("return { vim.fn.expand('%:t'), vim.fn.line('.') }")
end)
equal('the name there', 'day_plan', lua("return vim.fn.expand('<cword>')"))

-- A similar name.
edit('writer.ts')
type('5G0/day_plan<CR>ciwday_pla<Esc>')
wait_for('what was meant', { 'WARN nothing in this app sets `day_pla`; did you mean `day_plan`?' }, function()
  return lua([[
    return vim.tbl_map(function(problem)
      return vim.diagnostic.severity[problem.severity] .. ' ' .. problem.message
    end, vim.diagnostic.get(0))
  ]])
end)
type('u')
wait_for_problems('a name that is set again', 'writer.ts', {})

-- The name in both files.
type('5G0/day_plan<CR>')
lua("vim.lsp.buf.rename('itinerary')")
wait_for('the prompt', '  instruction: `Write about {itinerary}.`,', function()
  return lua('return vim.fn.getline(5)')
end)
edit('planner.ts')
contains('the other file', "outputKey: 'itinerary'", lua('return vim.fn.getline(3)'))
wait_for_problems('nothing is wrong there', 'planner.ts', {})
wait_for_problems('nor in the prompt', 'writer.ts', {})
