-- Neovim opens each file with a problem, so none is reported in a pipe: it would wait forever.
file('a.adk.inputs.json', '{"name": "Ada"}\n')
file('a.adk.prompt', 'Dear {name},\n')
for _, path in ipairs({ 'a.adk.other.inputs.json', 'promptls.toml' }) do
  os.execute(('mkfifo %s/%s'):format(vim.fn.shellescape(folder), path))
end
start()
edit('a.adk.prompt')
attached()
open_preview()
wait_for_preview('the preview', 'Dear Ada,')
wait_for_problems('what is said of the pipe', 'a.adk.prompt', { '1:1 invalid-inputs', '1:1 invalid-config' })
