" Colours, by the same rules as ../vscode/syntaxes/banneret.tmLanguage.json. tests/tests/highlighting.rs compares the words with the
" parser's, test/agrees.lua what is coloured. Of two matches at one place the one further down in this file wins.
if exists('b:current_syntax')
  finish
endif

" ---- names
syntax match banneretType /\<[[:upper:]]\k*\>/
syntax match banneretCall /\<[[:lower:]]\k*\ze(/
syntax match banneretConstant /\<\%(true\|false\|none\)\>/
syntax match banneretBuiltIn /\<\%(Int\|Bool\|Text\|Percent\|Fraction\|Length\|Size\|Target\|Dice\|Rolled\|Player\|Thing\|Pile\|Place\|Spot\|Effect\|Rules\|Choice\|Cost\|Keyword\|Picture\)\>/
syntax match banneretBuiltIn /\<\%(set\|list\|pair\|pile\)\ze\s\+of\>/

" ---- the head of a card and of its parts: the word of a kind, which comes from a rule system, and a name
syntax match banneretCard /^\a\k*\>/
syntax match banneretCard /\%(^\|[{,;]\)\@1<=\s*\zs[[:lower:]]\k*\ze\s\+[[:upper:]]\k*\s*\%(["{]\|\<from\>\)/

" ---- the reserved words, and mod; before a colon they are names of fields
syntax match banneretItem /\<\%(use\|ruleset\|enum\|kind\|define\|fact\|table\|action\|phase\|keyword\|limit\|face\|test\)\>:\@!/
syntax match banneretRule /\<\%(state\|resource\|says\|grant\|before\|after\|instead\|at\|cannot\|must\|once\)\>:\@!/
syntax match banneretStatement /\<\%(let\|if\|else\|for\|repeat\|need\|choose\|may\|do\|alternate\|pass\|proceed\|together\|todo\)\>:\@!/
syntax match banneretOperator /\<\%(and\|or\|not\|is\|in\|of\|where\|within\|past\|mod\)\>:\@!/
syntax match banneretSelf /\<\%(this\|you\)\>:\@!/
syntax match banneretStatement /\<\%(given\|expect\)\>:\@!/
syntax match banneretJoining /\<\%(to\|from\|by\|with\|on\|into\|against\|using\|as\|until\|while\|such\|blame\|starting\|rounded\)\>:\@!/
syntax match banneretJoining /\<covers\>:\@!/ nextgroup=banneretRuleId skipwhite

" ---- words that are free names everywhere else
syntax match banneretContext /\<at\s\+\%(start\|end\)\s\+of\>/
syntax match banneretContext /\<until\s\+\%(start\|end\)\s\+of\>\%(\s\+next\ze\s\+\a\)\?/
syntax match banneretContext /\<until\s\+all\s\+pass\>/
syntax match banneretContext /\<at\s\+\%(least\|most\)\>/
syntax match banneretContext /\<for\s\+the\s\+game\>/
syntax match banneretContext /\<\%(each\s\+\)\?once\s\+per\>/
syntax match banneretContext /\<such\s\+that\>/
syntax match banneretContext /\<in\s\+secret\>/
syntax match banneretContext /\<as\s\+warning\>/
syntax match banneretContext /\<choose\s\+\%(up\s\+to\>\|any\ze\s\+\%(from\>\)\@!\a\)/
syntax match banneretContext /\<expect\s\+\%(illegal\ze\s\|refused\ze\s\+by\>\|\%(odds\|mean\|spread\)\ze\s\+of\>\)/
syntax match banneretContext /\%(\<refused\s\+\)\@<=by\>/ nextgroup=banneretRuleId skipwhite
syntax match banneretContext /\%(: \)\@2<!\<template\ze\s*\%({\|\/\/\|$\)/
syntax match banneretEnumHead /^enum\s\+\k\+\%(\s\+open\>\)\?\%(\s\+also\>\)\?/ contains=banneretItem,banneretType,banneretEnumWord
syntax match banneretEnumWord /\s\zs\%(open\|also\)\>/ contained
syntax match banneretKindHead /^kind\s\+\k\+[^{]*/ contains=TOP,banneretCard
syntax match banneretContext /\<rank\ze\s/ contained containedin=banneretKindHead
" up to the next letter in the first column
syntax region banneretRuleset start=/^ruleset\>/ end=/^\ze\a/ keepend contains=TOP,banneretCard
syntax match banneretContext /\<\%(length\|option\)\ze\s\+\a/ contained containedin=banneretRuleset

" ---- rule ids and fields
syntax match banneretRuleId contained /\a[[:alnum:]_.-]*\%(\s*,\s*\a\k*-[[:alnum:]_.-]*\)*/
syntax match banneretField /\<\k\+\ze:/
syntax match banneretField /\.\@1<!\.\a\k*/

" ---- 3  2.5  4+  2d6+1  6/4  3d3/3  6"  63mm  50%: one token, as in the parser
let s:unit = '%("|\%|\a\k*)'
let s:dice = '\d+%([+-]\d+)?\k@!'
let s:half = '%(\d+%(d' .. s:dice .. '|\.\d+' .. s:unit .. '?|\+[[:alnum:]_(]@!|' .. s:unit .. ')?|d' .. s:dice .. ')'
execute 'syntax match banneretNumber #\v\k@1<!' .. s:half .. '%(/[+-]?' .. s:half .. ')?#'
unlet s:unit s:dice s:half

" ---- texts: a quote after a digit, or after `as` where a unit is declared, is an inch mark
syntax match banneretPlaceholder /{[^{}"]*}/ contained
syntax match banneretEscape /\\["\\]/ contained
syntax region banneretText oneline start=/\v[0-9]@1<!%([^0-9A-Za-z]as )@4<!"/ skip=/\\["\\]/ end=/"/ end=/ \ze{\s*$/ end=/$/ contains=banneretPlaceholder,banneretEscape
syntax region banneretText start=/\v[0-9]@1<!%([^0-9A-Za-z]as )@4<!"""/ end=/"""/ end=/^\ze\a/ contains=banneretPlaceholder

" ---- comments
syntax match banneretComment +//.*$+ contains=@Spell
syntax match banneretDocumentation +///.*$+ contains=@Spell

" an item starts in the first column, but long prose may be far above
syntax sync minlines=200

highlight default link banneretComment Comment
highlight default link banneretDocumentation SpecialComment
highlight default link banneretText String
highlight default link banneretPlaceholder Special
highlight default link banneretEscape Special
highlight default link banneretNumber Number
highlight default link banneretItem Structure
highlight default link banneretCard Structure
highlight default link banneretRule Keyword
highlight default link banneretStatement Statement
highlight default link banneretOperator Operator
highlight default link banneretJoining Keyword
highlight default link banneretContext Keyword
highlight default link banneretEnumWord Keyword
highlight default link banneretSelf Identifier
highlight default link banneretConstant Constant
highlight default link banneretBuiltIn Type
highlight default link banneretType Type
highlight default link banneretCall Function
highlight default link banneretField Identifier
highlight default link banneretRuleId Tag

let b:current_syntax = 'banneret'
