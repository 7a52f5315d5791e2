autocmd BufRead,BufNewFile *.banner setfiletype banneret
