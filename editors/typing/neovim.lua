-- Types the cases into Neovim, key by key, with the plugin, and compares what is saved with what was meant:
--   BANNERET=path/to/banneret nvim --headless -u NONE -i NONE -S editors/typing/neovim.lua
-- First as the plugin sets Neovim up, then with a list of offers after every letter (completeopt=menuone,noselect), as completion plugins show it.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local command = vim.fn.fnamemodify(os.getenv('BANNERET') or 'banneret', ':p')

local function say(text)
  io.stdout:write(text .. '\n')
end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
end

-- The keys a person presses: Neovim indents by itself, brackets are typed.
local function keys(text)
  local out, struck = {}, 0
  local lines = vim.split(text:gsub('\n$', ''), '\n')
  for i, line in ipairs(lines) do
    if i > 1 then
      table.insert(out, '<CR>')
    end
    if (lines[i - 1] or ''):match('^%s*///') and not line:match('^%s*///') then
      -- the next line of a documentation is begun for you; who does not want one takes it back
      table.insert(out, '<C-u>')
    end
    for letter in line:gsub('^%s+', ''):gmatch('[%z\1-\127\194-\244][\128-\191]*') do
      struck = struck + 1
      if struck % 41 == 17 and letter:match('%l') then
        table.insert(out, 'x')
        table.insert(out, '<BS>')
      end
      table.insert(out, letter == '<' and '<lt>' or letter)
    end
  end
  return out
end

-- A Neovim with the plugin and a file open in a project of its own; the functions that ask it, and its end.
local function opened(name, text, content)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  local rules = text:match('use (%S+)')
  write(folder .. '/banneret.ron', ('(name: "typed", version: "0.1.0", rules: "%s")\n'):format(rules))
  local path = folder .. '/' .. name
  if content then
    write(path, content)
  end
  local plugin = vim.fn.fnamemodify(here .. '/../neovim', ':p')
  local start = { vim.v.progpath, '--embed', '--headless', '-u', 'NONE', '-i', 'NONE', '--cmd', 'set runtimepath^=' .. plugin }
  local child = vim.fn.jobstart(start, { rpc = true })
  local function ask(method, ...)
    return vim.rpcrequest(child, method, ...)
  end
  local function lua(code, ...)
    return ask('nvim_exec_lua', code, { ... })
  end
  lua('vim.g.banneret_path = ...', command)
  ask('nvim_command', 'filetype plugin indent on')
  ask('nvim_command', 'runtime! plugin/banneret.lua')
  ask('nvim_command', 'set noswapfile completeopt=menuone,noselect')
  ask('nvim_command', 'edit ' .. path)
  local attached = vim.wait(20000, function()
    return lua('return #vim.tbl_values(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)) > 0')
  end, 50)
  local function close()
    vim.fn.jobstop(child)
    vim.fn.delete(folder, 'rf')
  end
  return ask, lua, attached, path, close
end

-- Goes to where a field of the rule system is declared: that is a text which cannot be changed, and no second server is started for it; nor is one for the
-- manifest.
local function library()
  local ask, lua, attached, path, close = opened('unit.banner', 'use flux\n', 'use flux\n\nunit Limpet of Verge { cost: 1, points: 14, power: 0, health: 3 }\n')
  ask('nvim_win_set_cursor', 0, { 3, 54 })
  local said = lua([[
    local found = vim.lsp.buf_request_sync(0, 'textDocument/definition', vim.lsp.util.make_position_params(0, 'utf-16'), 20000)
    for _, answer in pairs(found or {}) do
      local jump = vim.lsp.util.show_document or vim.lsp.util.jump_to_location
      jump(answer.result, 'utf-16')
    end
    local line = vim.api.nvim_get_current_line()
    local name, locked = vim.api.nvim_buf_get_name(0), not vim.bo.modifiable
    vim.cmd('edit ' .. ...)
    vim.wait(1000)
    local clients = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
    local here = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
    return { line, name, locked, #vim.tbl_values(clients), #vim.tbl_values(here) }
  ]], vim.fn.fnamemodify(path, ':h') .. '/banneret.ron')
  close()
  local line, name, locked, servers, of_manifest = unpack(said)
  local fine = attached and line:match('health') and name:match('^banneret://library/flux/') and locked and servers == 1 and of_manifest == 1
  say(('the library: %s'):format(fine and 'read only, with one server' or vim.inspect(said)))
  return fine
end

local function typed(name, text, popups)
  local ask, lua, attached, path, close = opened(name, text)
  lua('vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"; shown = 0')
  -- the first answer waits until the rule system was read: a person looks at the empty file that long
  lua("vim.lsp.buf_request_sync(0, 'textDocument/completion', vim.lsp.util.make_position_params(), 20000)")
  if popups then
    lua([[
      -- the server says that its list is not complete: it is asked again with every letter
      vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChangedP' }, {
        callback = function(event)
          local column = vim.api.nvim_win_get_cursor(0)[2]
          local before = vim.api.nvim_get_current_line():sub(1, column)
          -- a list that is shown is no new letter
          if before ~= asked and before:match('[%w_. ]$') and before:match('%S') then
            asked = before
            local again = event.event == 'TextChangedP' and '<C-e><C-x><C-o>' or '<C-x><C-o>'
            vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(again, true, false, true), 'n', false)
          end
        end,
      })
      vim.api.nvim_create_autocmd('CompleteChanged', { callback = function() shown = shown + 1 end })
    ]])
  end
  ask('nvim_input', 'i')
  for _, key in ipairs(keys(text)) do
    ask('nvim_input', key)
    vim.wait(popups and 70 or 5)
    -- everything typed so far has arrived
    ask('nvim_get_mode')
  end
  ask('nvim_input', '<Esc>')
  vim.wait(300)
  ask('nvim_command', 'silent write')
  local shown = lua('return shown')
  local came = read(path)
  close()
  return attached, came, shown
end

local function run()
  local wrong = library() and 0 or 1
  local names = vim.fn.glob(here .. '/cases/*.banner', true, true)
  table.sort(names)
  for _, popups in ipairs(os.getenv('ONLY') and { true } or { false, true }) do
    for _, path in ipairs(names) do
      local name, text = vim.fn.fnamemodify(path, ':t'), read(path)
      local attached, came, shown = typed(name, text, popups)
      local same = came == text and attached
      local manner = popups and ('offers were shown %d times'):format(shown) or 'without a list of offers'
      say(('%s: %s; %s'):format(name, same and 'letter for letter' or (attached and 'DIFFERS' or 'NO SERVER'), manner))
      -- without offers it would be no test
      if not same or popups and shown < 10 then
        wrong = wrong + 1
        local meant, got = vim.split(text, '\n'), vim.split(came, '\n')
        local told = 0
        for i, line in ipairs(meant) do
          if line ~= got[i] and told < 5 then
            told = told + 1
            say(('  %d: meant %q, came %q'):format(i, line, got[i] or ''))
          end
        end
      end
    end
  end
  return wrong == 0 and 0 or 1
end

local fine, result = pcall(run)
if not fine then
  say(tostring(result))
end
os.exit(fine and result or 1)
