--- Requests the size of a preview in tokens, separately: counting takes longer than resolving the
--- text.

local api = vim.api
local bar = require('promptls.preview.bar')
local size = require('promptls.size')

local M = {}

--- Requests the size of the displayed text, and adds it to the bar.
---@param preview promptls.Preview
local function measure(preview)
  if preview.is_pending or not preview.page then
    -- The next text is requested, and must not be delayed.
    return
  elseif preview.sizing then
    preview.sizing = 'outdated'
    return
  end
  local requested = preview.prompt
  local is_sent = size.request(requested, preview.page.answer.case, function(answer, _, is_unknown)
    local is_outdated = preview.sizing == 'outdated'
    -- Not requested again from an older server, which does not support it.
    preview.sizing = is_unknown and 'pending' or nil
    if not api.nvim_buf_is_valid(preview.buf) then
      return
    end
    if answer and requested == preview.prompt then
      preview.size = answer
      bar.draw(preview)
    end
    if is_outdated and not is_unknown then
      measure(preview)
    end
  end)
  preview.sizing = is_sent and 'pending' or nil
end

--- Does so after a pause as long as it took to request and draw the text, in ms. While the user
--- types in a text of megabytes, counting must leave time for drawing.
---@param preview promptls.Preview
function M.measure_after(preview, pause)
  local shown = preview.page and preview.page.answer
  vim.defer_fn(function()
    if api.nvim_buf_is_valid(preview.buf) and preview.page.answer == shown then
      measure(preview)
    end
  end, pause)
end

return M
