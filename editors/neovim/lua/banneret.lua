-- What the plugin does for every Neovim: the library of rule systems, which only the server has; and for those that cannot read `lsp/banneret.lua`, from 0.7
-- on, the start of the server.
local M = {}

-- one server for each project
local started = {}

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  for _, marker in ipairs({ 'banneret.ron', '.git' }) do
    local found = vim.fn.findfile(marker, vim.fn.fnameescape(folder) .. ';')
    if found == '' then
      found = vim.fn.finddir(marker, vim.fn.fnameescape(folder) .. ';')
    end
    if found ~= '' then
      return vim.fn.fnamemodify(found, ':p:s?[/\\\\]$??:h')
    end
  end
  return folder
end

-- Says to the server that it can be asked for the texts of the library.
function M.capabilities()
  local own = { experimental = { banneret = { library = true } } }
  return vim.tbl_deep_extend('force', vim.lsp.protocol.make_client_capabilities(), own)
end

function M.attach(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name:match('^banneret:') then
    -- the library belongs to the server it came from: see M.open
    return
  end
  local root = root_of(name)
  if vim.lsp.enable then
    -- what Neovim starts by itself for other files of the project is used again
    local config = vim.tbl_extend('force', vim.lsp.config.banneret, { root_dir = root })
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  if not started[root] then
    started[root] = vim.lsp.start_client({
      name = 'banneret',
      cmd = { vim.g.banneret_path or 'banneret', 'lsp' },
      root_dir = root,
      capabilities = M.capabilities(),
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      on_exit = function()
        started[root] = nil
      end,
    })
  end
  if started[root] then
    vim.lsp.buf_attach_client(buffer, started[root])
  end
end

-- Shows a file of the library: it is on no disk, and cannot be changed.
function M.open(buffer, address)
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'banneret' }) or vim.lsp.get_active_clients()
  for _, client in pairs(clients) do
    if client.name == 'banneret' then
      local method, params = 'workspace/textDocumentContent', { uri = address }
      local answer
      if vim.fn.has('nvim-0.11') == 1 then
        answer = client:request_sync(method, params, 5000, buffer)
      else
        answer = client.request_sync(method, params, 5000, buffer)
      end
      local text = answer and answer.result and answer.result.text or ''
      vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split((text:gsub('\n$', '')), '\n'))
      vim.bo[buffer].buftype = 'nofile'
      vim.bo[buffer].swapfile = false
      vim.bo[buffer].modified = false
      vim.bo[buffer].modifiable = false
      -- now, as no server is started for what is no file
      vim.bo[buffer].filetype = 'banneret'
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  vim.notify('Open a file of a Banneret project first: the library comes from its server.', vim.log.levels.WARN)
end

return M
