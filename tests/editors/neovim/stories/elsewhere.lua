-- An action that has changed other files reports them, and how to save them.
file('mail.adk.inputs.json', '{"nam": "Ada"}\n')
file('mail.adk.angry.inputs.json', '{"nam": "Bob"}\n')
file('mail.adk.prompt', 'Dear {name},\n')
start()
edit('mail.adk.prompt')
attached()
lua([[
  _G.said = {}
  vim.notify = function(text) table.insert(_G.said, text) end
]])

local function said()
  return lua('return _G.said')
end

--- Applies the action at the cursor whose title has this prefix.
local function act(title)
  lua([[
    local title = ...
    vim.lsp.buf.code_action({ apply = true, filter = function(action)
      return vim.startswith(action.title, title)
    end })
  ]], title)
end

type('f{l')
wait_for_problems('the problem', 'mail.adk.prompt', { '1:7 undefined-placeholder' })
act('Add `name` to both cases')
local both = 'promptls: changed mail.adk.angry.inputs.json and mail.adk.inputs.json; `:wall` saves them'
wait_for('what is said', { both }, said)
command('wall')

-- Files that were saved meanwhile are not reported again, and a change of only this file is not
-- reported.
lua('_G.said = {}')
type('0f{l')
-- In a narrow window, the message is shortened so that it needs no key press.
command('set columns=80')
lua("vim.lsp.buf.rename('customer')")
wait_for('the new name', { 'Dear {customer},' }, function()
  return lua("return vim.fn.getline(1, '$')")
end)
local few = 'promptls: changed mail.adk.angry.inputs.json and 1 more; `:wall` saves them'
wait_for('what is said of the new name', { few }, said)
command('set columns=200')

-- A new file ends in one newline, and can be saved.
lua('_G.said = {}')
file('note.adk.prompt', 'To {name}\n')
edit('note.adk.prompt')
attached()
wait_for_problems('no inputs', 'note.adk.prompt', { '1:1 no-inputs' })
act('Create the inputs file')
wait_for('what is said of the new file', { 'promptls: changed note.adk.inputs.json; `:wall` saves it' }, said)
command('wall')
local handle = assert(io.open(folder .. '/note.adk.inputs.json'))
local text = handle:read('*a')
handle:close()
contains('the new file', '"name"', text)
equal('its end', '}\n', text:match('}.*'))
