#!/bin/sh
# Puts the command `banneret` into ~/.local/bin (or BANNERET_INSTALL_DIR), after comparing its checksum.
#
#   sh install.sh FROM [VERSION]    FROM: the address of the releases, or a folder with the archives in it
set -eu

from=${1:?say where the archives are: sh install.sh FROM [VERSION]}
version=${2:-0.2.0}
into=${BANNERET_INSTALL_DIR:-$HOME/.local/bin}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  *) echo "There is no archive for $(uname -s) on $(uname -m); build it from source." >&2; exit 1 ;;
esac

stem=banneret-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in "$stem.tar.gz" "$stem.tar.gz.sha256"; do
  if [ -d "$from" ]; then
    cp "$from/$name" "$work/$name"
  else
    curl --proto '=https' --fail --silent --show-error --location --output "$work/$name" "$from/v$version/$name"
  fi
done
cd "$work"
if command -v sha256sum >/dev/null; then sums='sha256sum'; else sums='shasum -a 256'; fi
$sums -c "$stem.tar.gz.sha256" >/dev/null || { echo "The archive is damaged: its checksum is another one. Nothing was installed." >&2; exit 1; }
tar -xzf "$stem.tar.gz"
mkdir -p "$into"
cp "$stem/banneret" "$into/banneret.new"
mv "$into/banneret.new" "$into/banneret"
echo "Installed $("$into/banneret" --version) in $into."
case ":$PATH:" in
  *":$into:"*) ;;
  *) echo "That folder is not in your PATH yet: add it, or call $into/banneret." ;;
esac
