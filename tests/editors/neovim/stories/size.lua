-- Tokens and what a cache can reuse: in the bar of the preview, and by placeholder in a float.
file('promptls.toml', "[[prompts]]\nfiles = ['*.prompt']\nmax_tokens = 20\n")
file('mail.adk.inputs.json', '{"customer": "Ada", "docs": "one two three four"}\n')
file('mail.adk.angry.inputs.json', '{"customer": "Ada", "docs": "five six"}\n')
file('mail.adk.prompt', 'Dear {customer},\n\nread {docs}.\n')

local function float()
  local found = lua([[
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(win).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), '\n')
      end
    end
  ]])
  return found ~= vim.NIL and found or nil
end

start()
edit('mail.adk.prompt')
attached()
open_preview()
wait('the size', function()
  return preview().bar:find('9 / 20 tokens  prefix 4 tokens, up to {docs}', 1, true)
end)

-- It follows, and too many are marked.
type('Go' .. ('{docs} '):rep(5) .. '<Esc>')
wait('the new size', function()
  return preview().bar:find('%d%d / 20 tokens')
end)
wait('the mark', function()
  return lua('return vim.wo[...].winbar', preview().win):find('%#PromptlsOverBudget#', 1, true)
end)
type('u')
wait('the size as it was', function()
  return preview().bar:find('9 / 20 tokens', 1, true)
end)
wait('no mark', function()
  return not lua('return vim.wo[...].winbar', preview().win):find('PromptlsOverBudget', 1, true)
end)

-- By placeholder; the cursor takes the float away.
command('Promptls size')
local shown = wait('the float', float)
contains('the total', '9 / 20 tokens', shown)
contains('a placeholder', '{docs}', shown)
contains('the text', 'the prompt itself', shown)
contains('the prefix', 'prefix 4 tokens, up to {docs}', shown)
contains('the tokens', 'the same in all 2 cases; tokens of o200k_base', shown)
type('gg0l')
wait('the float to go', function()
  return float() == nil
end)
stop()

-- Other tokens, if the user wants them.
local setup = ('vim.opt.runtimepath:append(%q)\n'):format(root .. '/editors/neovim')
local settings = "{ settings = { promptls = { size = { encoding = 'cl100k_base' } } } }"
if is_0_10 then
  start(setup .. 'vim.g.promptls = ' .. settings)
else
  start(setup .. ("vim.lsp.config('promptls', %s) vim.lsp.enable('promptls')"):format(settings))
end
edit('mail.adk.prompt')
attached()
command('Promptls size')
contains('the tokens', 'tokens of cl100k_base', wait('the float', float))
