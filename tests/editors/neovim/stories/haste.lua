-- At any typing speed, only one request is pending, and the last one is shown.
file('mail.adk.inputs.json', '{"customer": "Ada"}\n')
file('mail.adk.prompt', '{customer}\n')
start()
edit('mail.adk.prompt')
attached()
open_preview()
lua([[
  _G.under_way, _G.most = 0, 0
  vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(event)
      local request = event.data.request
      if request.method == 'promptls/preview' then
        _G.under_way = _G.under_way + (request.type == 'pending' and 1 or -1)
        _G.most = math.max(_G.most, _G.under_way)
      end
    end,
  })
]])
type('A' .. ('x{customer}'):rep(100) .. '<Esc>')
wait_for_preview('all that was typed', 'Ada' .. ('xAda'):rep(100))
equal('questions at a time', 1, lua('return _G.most'))

-- Two tabs with the same prompt: two previews.
command('tab split')
open_preview()
type('SEnd<Esc>')
wait_for_preview('the second preview', 'End')
command('tabnext')
wait_for_preview('the first preview', 'End')
