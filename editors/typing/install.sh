#!/usr/bin/env bash
# Installs what types into VS Code and looks at pages: code-server, which carries VS Code, and Playwright, which drives a browser.
#   editors/typing/install.sh [FOLDER]
# Needs Node 20, npm, a C++ compiler with make and Python, and ripgrep (or it is fetched). Chromium and Neovim come from the system. `.ci/run` looks for the
# folder in BANNERET_TYPING_TOOLS, beside this script, in the cache of the user (which is where it goes without FOLDER) and in /opt/banneret-typing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/banneret-typing}
mkdir -p "$folder"
[ "$folder" -ef "$here" ] || cp "$here/package.json" "$folder/"
cd "$folder"
# what comes with other packages asks questions otherwise
export npm_config_yes=true npm_config_audit=false npm_config_fund=false
npm install --ignore-scripts
npm rebuild argon2
# code-server is published without the packages of the VS Code inside
cd node_modules/code-server/lib/vscode
npm install --omit=dev --legacy-peer-deps --ignore-scripts
(cd extensions && npm install --omit=dev --legacy-peer-deps --ignore-scripts)
npm rebuild node-pty @vscode/spdlog native-watchdog
if [ ! -e node_modules/@vscode/ripgrep/bin/rg ]; then
  if command -v rg >/dev/null; then
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  else
    (cd node_modules/@vscode/ripgrep && node lib/postinstall.js)
  fi
fi
[ -e node_modules.asar ] || ln -s node_modules node_modules.asar
node -e 'for (const name of ["node-pty", "@vscode/spdlog", "@parcel/watcher"]) require(name);'
echo "The tools for typing are in $folder."
