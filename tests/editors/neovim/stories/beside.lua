-- Together with a language's own server: each handles only its part, and nothing is duplicated.
file('planner.py', table.concat({
  'from google.adk.agents import LlmAgent',
  '',
  'city = "Rome"',
  'planner = LlmAgent(',
  '    name="planner",',
  '    instruction=f"Plan for {city}: {{task}}.",',
  ')',
  'print(city)',
  '',
}, '\n'))
file('planner.planner.inputs.json', '{"task": "a trip"}\n')
start(plugin() .. ([[

  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'python',
    callback = function()
      vim.lsp.start({ name = 'basedpyright', cmd = { %q, '--stdio' }, root_dir = vim.uv.cwd() })
    end,
  })
]]):format(root .. '/node_modules/.bin/basedpyright-langserver'))
edit('planner.py')
attached()
wait('the other server', function()
  return lua([[
    local other = vim.lsp.get_clients({ bufnr = 0, name = 'basedpyright' })[1]
    return other ~= nil and other.initialized == true
  ]])
end)

--- The result of each server at a position, as `promptls: ...`; servers without a result are
--- omitted.
local function answers(method, row, column, pick)
  return lua(
    [[
      local method, row, column, pick = ...
      vim.api.nvim_win_set_cursor(0, { row, column })
      local params = {
        textDocument = vim.lsp.util.make_text_document_params(),
        position = { line = row - 1, character = column },
      }
      local said = {}
      local results = vim.lsp.buf_request_sync(0, method, params, 10000) or {}
      for id, answer in pairs(results) do
        local text = answer.result and assert(loadstring(pick))()(answer.result) or nil
        if text and text ~= '' then
          table.insert(said, vim.lsp.get_client_by_id(id).name .. ': ' .. text)
        end
      end
      table.sort(said)
      return said
    ]],
    method,
    row,
    column,
    pick
  )
end

local function hovers(row, column)
  return answers('textDocument/hover', row, column, [[
    return function(hover)
      local text = type(hover.contents) == 'table' and hover.contents.value or hover.contents
      return vim.trim(text:gsub('```%w*', '')):match('^[^:\n]*')
    end
  ]])
end

--- The completions with this prefix.
local function completions(row, column, start)
  return answers('textDocument/completion', row, column, ([[
    return function(found)
      local labels = {}
      for _, item in ipairs(found.items or found) do
        if vim.startswith(item.label, %q) then
          table.insert(labels, item.label)
        end
      end
      return table.concat(labels, ' ')
    end
  ]]):format(start))
end

--- The highlights at a position, by server.
local function colours(row, column)
  return lua(
    [[
      local found = vim.lsp.semantic_tokens.get_at_pos(0, select(1, ...) - 1, select(2, ...)) or {}
      local said = vim.tbl_map(function(token)
        return vim.lsp.get_client_by_id(token.client_id).name .. ': ' .. token.type
      end, found)
      table.sort(said)
      return said
    ]],
    row,
    column
  )
end

wait_for('the hover of a variable', { 'basedpyright: (variable) city' }, function()
  return hovers(8, 7)
end)
equal('the hover of a placeholder', { 'promptls: **`task`**' }, hovers(6, 39))
-- An interpolation in the string is code, with the text that it puts in.
equal(
  'the hover of a hole',
  { 'basedpyright: (variable) city', 'promptls: **`city`** — part of the prompt' },
  hovers(6, 29)
)

equal('the completions of code', { 'basedpyright: city' }, completions(8, 8, 'cit'))
equal('the completions of a hole', { 'basedpyright: city' }, completions(6, 30, 'cit'))
equal('the completions of a prompt', { 'promptls: task' }, completions(6, 38, 'ta'))

wait_for('the colour of a variable', { 'basedpyright: variable' }, function()
  return colours(8, 7)
end)
wait_for('the colour of a placeholder', { 'promptls: variable' }, function()
  return colours(6, 39)
end)

-- A rename is sent only to servers that handle the name.
equal('who renames a variable', { 'basedpyright: yes' }, answers('textDocument/prepareRename', 8, 7, [[
  return function() return 'yes' end
]]))
equal('who renames a placeholder', { 'promptls: yes' }, answers('textDocument/prepareRename', 6, 39, [[
  return function() return 'yes' end
]]))
