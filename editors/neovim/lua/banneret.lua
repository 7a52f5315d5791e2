-- Starts the language server in a Neovim that cannot read `lsp/banneret.lua` yet, from 0.7 on.
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

function M.attach(buffer)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  if not started[root] then
    started[root] = vim.lsp.start_client({
      name = 'banneret',
      cmd = { vim.g.banneret_path or 'banneret', 'lsp' },
      root_dir = root,
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

return M
