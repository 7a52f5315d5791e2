-- Starts the language server for .banner files, if the command is there. `vim.g.banneret_path` says where, if your terminal does not know.
local command = vim.g.banneret_path or 'banneret'
local there = vim.fn.executable(command) == 1

if there then
  -- files of the library, as the server names them
  vim.api.nvim_create_autocmd('BufReadCmd', {
    pattern = 'banneret://*',
    callback = function(event)
      require('banneret').open(event.buf, event.match)
    end,
  })
  -- the manifest of a project
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
    pattern = 'banneret.ron',
    callback = function(event)
      require('banneret').attach(event.buf)
    end,
  })
end

if there and vim.lsp.enable then
  vim.lsp.enable('banneret')
  return
end

local told = false
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'banneret',
  callback = function(event)
    if there then
      require('banneret').attach(event.buf)
    elseif not told then
      told = true
      local message = 'The command “%s” was not found: there are colours, but mistakes are not shown. Install it, or put its place into vim.g.banneret_path.'
      vim.notify(message:format(command), vim.log.levels.WARN)
    end
  end,
})
