-- A prompt in an unnamed buffer stays the same when it gets a name.
file('mail.adk.inputs.json', '{"name": "Ada"}\n')
for _, name in ipairs({ 'written', 'named', 'saved' }) do
  file(name .. '.adk.inputs.json', '{}\n')
end

--- Starts one, names it, and continues.
local function begin(what, path, how)
  command('enew')
  type('iDear {nam},<Esc>:setfiletype prompt-adk<CR>')
  attached()
  local before = open_preview()
  how(path)
  wait_for_problems('its problem after ' .. what, path, { '1:7 undefined-placeholder' })
  type('0f}ie<Esc>')
  wait_for_preview('what is typed after ' .. what, 'Dear {name},')
  equal('the preview after ' .. what, before.win, preview().win)
  contains('its name after ' .. what, path, lua('return vim.api.nvim_buf_get_name(...)', preview().buf))
  -- The server has the text under one name only.
  reload()
  wait_for_problems('problems of the file after ' .. what, path, { '1:7 undefined-placeholder' })
  command('Promptls preview')
end

start()
begin(':write', 'written.adk.prompt', function(path)
  command('write ' .. path)
end)
begin(':file', 'named.adk.prompt', function(path)
  command('file ' .. path)
  command('write')
end)
begin(':saveas', 'saved.adk.prompt', function(path)
  command('saveas ' .. path)
end)

-- A prompt that is renamed has other inputs.
file('mail.adk.prompt', 'Dear {name},\n')
file('letter.adk.inputs.json', '{"name": "Bob"}\n')
edit('mail.adk.prompt')
attached()
open_preview()
wait_for_preview('its text', 'Dear Ada,')
command('saveas letter.adk.prompt')
wait_for_preview('its text with other inputs', 'Dear Bob,')
