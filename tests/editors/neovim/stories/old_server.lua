-- A server without promptls requests: a helpful error, and nothing breaks.
file('mail.adk.prompt', 'Dear {customer},\n')
local server = [[
  _G.questions = {}
  -- A server in a function.
  local function server(dispatchers)
    local is_closing = false
    local function request(method, params, callback)
      table.insert(_G.questions, method)
      vim.schedule(function()
        if method == 'initialize' then
          callback(nil, { capabilities = {} })
        elseif method == 'shutdown' then
          callback(nil, nil)
        elseif method == 'promptls/preview' and _G.has_preview then
          local stats = { bytes = 4, characters = 4, words = 1, lines = 1 }
          callback(nil, { text = 'Dear', map = {}, cases = {}, problems = {}, stats = stats })
        else
          callback({ code = -32601, message = 'Method not found' })
        end
      end)
      return true, #_G.questions
    end
    return {
      request = request,
      notify = function() return true end,
      is_closing = function() return is_closing end,
      terminate = function() is_closing = true dispatchers.on_exit(0, 0) end,
    }
  end
]]
start(server .. plugin('{ cmd = server }'))
edit('mail.adk.prompt')
attached()

local function wait_for_advice()
  wait_for_message('the advice', 'the server is too old for this; update it (:checkhealth promptls)')
  command('messages clear')
end

for _, words in ipairs({ 'preview', 'case', 'diff HEAD', 'size', 'ghosts' }) do
  command('Promptls ' .. words)
  wait_for_advice()
end
equal('windows', 1, lua("return vim.fn.winnr('$')"))

-- A server with previews but without sizes shows previews, and receives one size request.
lua('_G.has_preview = true')
open_preview()
wait_for_preview('the text', 'Dear')
contains('the bar', '4 B, 1 word', preview().bar)
for _ = 1, 3 do
  lua("require('promptls.server').changed(vim.uri_from_bufnr(0))")
end
local function count(method)
  return #vim.tbl_filter(function(it)
    return it == method
  end, lua('return _G.questions'))
end
wait('the next previews', function()
  return count('promptls/preview') >= 4
end)
equal('questions for the size, with the one of the command', 2, count('promptls/size'))
