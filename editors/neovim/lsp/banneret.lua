-- What Neovim 0.11 and newer reads for `vim.lsp.enable('banneret')`.
return {
  cmd = { vim.g.banneret_path or 'banneret', 'lsp' },
  filetypes = { 'banneret' },
  root_markers = { 'banneret.ron', '.git' },
  capabilities = require('banneret').capabilities(),
}
