" Lines are as deep as the brackets that are open. Vim's own rules take the inch marks of `3" of this { move -1" }` for quotes and lose the bracket between them.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal autoindent nosmartindent
setlocal indentexpr=BanneretIndent(v:lnum) indentkeys=0},0),0],o,O
let b:undo_indent = 'setlocal autoindent< smartindent< indentexpr< indentkeys<'

if exists('*BanneretIndent')
  finish
endif

" A line without its texts and comment. Behind a digit `"` is an inch mark.
function s:Bare(line) abort
  let l:line = substitute(a:line, '\d\@1<="', '', 'g')
  let l:line = substitute(l:line, '"\%(\\.\|[^"\\]\)*"\?', '', 'g')
  return substitute(l:line, '//.*', '', '')
endfunction

function BanneretIndent(lnum) abort
  let l:before = prevnonblank(a:lnum - 1)
  if l:before == 0
    return 0
  endif
  let l:line = s:Bare(getline(l:before))
  " brackets that close at the start of the line have moved it already
  let l:line = substitute(l:line, '^\s*[\])}]\+', '', '')
  let l:open = len(substitute(l:line, '[^\[({]', '', 'g')) - len(substitute(l:line, '[^\])}]', '', 'g'))
  let l:depth = indent(l:before) + max([min([l:open, 1]), -1]) * shiftwidth()
  return max([0, l:depth - (getline(a:lnum) =~# '^\s*[\])}]' ? shiftwidth() : 0)])
endfunction
