-- The colours agree with the parser. Reads what the example `tokens` of the grammar prints for the sources, from the file $TOKENS:
--   cargo run -p banneret-grammar --example tokens -- $(find stdlib content -name '*.banner') > tokens.txt
--   TOKENS=tokens.txt nvim --headless -u NONE -i NONE --cmd 'set runtimepath^=editors/neovim' -l editors/neovim/test/agrees.lua
-- (before Neovim 0.9: -S instead of -l)

local kinds = {
  banneretComment = 'comment',
  banneretDocumentation = 'comment',
  banneretText = 'text',
  banneretPlaceholder = 'text',
  banneretEscape = 'text',
  banneretNumber = 'number',
  banneretItem = 'keyword',
  banneretRule = 'keyword',
  banneretStatement = 'keyword',
  banneretOperator = 'keyword',
  banneretJoining = 'keyword',
  banneretContext = 'keyword',
  banneretEnumWord = 'keyword',
  banneretSelf = 'keyword',
}

local function say(text)
  io.stdout:write(text .. '\n')
end

local function tokens_of(path)
  local files, list = {}, nil
  for line in io.lines(path) do
    local from, to, kind = line:match('^(%d+) (%d+) (%a+)$')
    if kind then
      table.insert(list, { from = tonumber(from), to = tonumber(to), kind = kind })
    else
      list = {}
      table.insert(files, { path = line, tokens = list })
    end
  end
  return files
end

-- the first and the last character of a token, as offsets in UTF-16 units, become lines and bytes
local function place(lines, starts, offset, hint)
  local row = hint
  while starts[row + 1] and starts[row + 1] <= offset do
    row = row + 1
  end
  return row, vim.str_byteindex(lines[row], offset - starts[row], true)
end

local function look()
  vim.cmd('filetype plugin on')
  vim.cmd('syntax on')
  local wrong, seen = 0, 0
  for _, file in ipairs(tokens_of(os.getenv('TOKENS'))) do
    vim.cmd('silent edit ' .. vim.fn.fnameescape(file.path))
    if vim.bo.filetype ~= 'banneret' then
      say(file.path .. ': its file type is “' .. vim.bo.filetype .. '”')
      return 1
    end
    vim.cmd('syntax sync fromstart')
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    local starts, at = {}, 0
    for row, line in ipairs(lines) do
      starts[row] = at
      local _, units = vim.str_utfindex(line)
      at = at + units + 1
    end
    local row = 1
    for _, token in ipairs(file.tokens) do
      for _, offset in ipairs({ token.from, token.to - 1 }) do
        local here, byte = place(lines, starts, offset, row)
        row = offset == token.from and here or row
        local group = vim.fn.synIDattr(vim.fn.synID(here, byte + 1, 1), 'name')
        local kind = kinds[group] or 'name'
        seen = seen + 1
        if kind ~= token.kind then
          wrong = wrong + 1
          if wrong <= 25 then
            say(('%s:%d:%d: the parser says “%s”, the colours “%s” (%s): %s'):format(file.path, here, byte + 1, token.kind, kind, group, lines[here]))
          end
        end
      end
    end
    vim.cmd('bwipeout!')
  end
  say(('%d places looked at, %d differences'):format(seen, wrong))
  return (wrong == 0 and seen > 0) and 0 or 1
end

local fine, result = pcall(look)
if not fine then
  say(result)
end
os.exit(fine and result or 1)
