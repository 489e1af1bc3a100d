-- Prompts are highlighted as Markdown, with placeholders on top, and have the options for prose.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', [[
# Mail to {customer}
- be kind
<rules>
Wriite to {customerr}
</rules>
```
code
```
]])
start(plugin() .. 'vim.cmd.colorscheme("default")')
edit('mail.adk.prompt')
attached()

--- The foreground colour of a highlight group.
local function foreground(group)
  return lua('return vim.api.nvim_get_hl(0, { name = ..., link = false }).fg or -1', group)
end

--- The groups at a position of the text, from 1: from Tree-sitter and from the server.
local function groups(row, column)
  return lua([[
    local row, column = ...
    local found = vim.inspect_pos(0, row - 1, column - 1, { syntax = false, extmarks = false })
    local groups = {}
    for _, capture in ipairs(found.treesitter) do
      table.insert(groups, '@' .. capture.capture)
    end
    for _, token in ipairs(found.semantic_tokens) do
      table.insert(groups, token.opts.hl_group)
    end
    return table.concat(groups, ' ')
  ]], row, column)
end

--- Waits for a group at a position: both are asynchronous.
local function wait_for_group(what, group, row, column)
  wait('the colour of ' .. what, function()
    return groups(row, column):find(group, 1, true)
  end)
end

wait_for_group('a name', '@lsp.type.variable.prompt-adk', 1, 12)
wait_for_group('a heading', '@markup.heading.1', 1, 3)
wait_for_group('a list', '@markup.list', 2, 1)
wait_for_group('a fence', '@markup.raw.block', 7, 1)

-- All tokens of the server differ from prose, also with the default colours and after a change of
-- the colour scheme.
local function check_tokens(what)
  for _, token in ipairs({ 'operator', 'namespace', 'keyword', 'variable', 'property', 'parameter', 'number', 'macro', 'string' }) do
    local found = foreground('@lsp.type.' .. token .. '.prompt-adk')
    if found == -1 then
      found = foreground('@lsp.type.' .. token)
    end
    equal(token .. what .. ' has a colour', true, found ~= -1 and found ~= foreground('Normal'))
  end
  equal('tags' .. what .. ' have a colour', true, foreground('PromptlsTag') ~= -1)
end
check_tokens('')
command('colorscheme habamax')
command('colorscheme default')
check_tokens(' in another scheme')

--- The appearance of a position, which also reflects marks that have been removed since.
local function drawn(row, column)
  return lua([[
    local row, column = ...
    vim.cmd.redraw()
    local at = vim.fn.screenpos(0, row, column)
    return vim.fn.screenattr(at.row, at.col)
  ]], row, column)
end

-- Tags are highlighted, though the parser treats all text up to the next empty line as HTML.
equal('a tag is drawn otherwise than text', true, drawn(3, 2) ~= drawn(4, 9))
equal('both tags are drawn alike', drawn(3, 2), drawn(5, 3))

-- Prose is wrapped between words and spell-checked, except for names in braces.
equal('how a prompt is shown', { true, true, true, '<!-- %s -->' }, lua([[
  return { vim.wo.wrap, vim.wo.linebreak, vim.wo.spell, vim.bo.commentstring }
]]))
type('gg]s')
wait_for('the word that is not spelled well', 'Wriite', function()
  return lua("return vim.fn.expand('<cword>')")
end)
type(']s')
wait_for('it is the only one', 'Wriite', function()
  return lua("return vim.fn.expand('<cword>')")
end)

local spelled = { drawn(4, 2), drawn(4, 13) }
command('setlocal nospell')
equal('what the screen shows of it', { true, false }, { spelled[1] ~= drawn(4, 2), spelled[2] ~= drawn(4, 13) })

-- Prompts of other dialects and without one look the same; other files are unaffected.
file('mail.agentle.prompt', '# x\n')
file('mail.prompt', '# x\n')
for _, path in ipairs({ 'mail.agentle.prompt', 'mail.prompt' }) do
  edit(path)
  wait_for_group('a heading of ' .. path, '@markup.heading.1', 1, 3)
  equal('spelling of ' .. path, true, lua('return vim.wo.spell'))
end
edit('mail.adk.inputs.json')
equal('spelling of inputs', false, lua('return vim.wo.spell'))
command('setfiletype text')

-- Documents for which this would be noticeably slow are not highlighted.
file('line.adk.prompt', ('word {customer} '):rep(20000) .. '\n')
edit('line.adk.prompt')
attached()
equal('whether a long line is parsed', false, lua('return vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil'))
