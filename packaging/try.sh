#!/usr/bin/env bash
# Makes the packages for this machine from a built command and uses each of them in an empty environment, without a network.
#
#   packaging/try.sh BINARY [OUT]
set -euo pipefail
house=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
binary=$(realpath "${1:?say which command: packaging/try.sh BINARY [OUT]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$(realpath -m "${2:-$work/packages}")
case "$(uname -m)" in
  x86_64) target=x86_64-unknown-linux-gnu machine=linux-x64 ;;
  aarch64) target=aarch64-unknown-linux-gnu machine=linux-arm64 ;;
  *) echo "This is tried on Linux only." >&2; exit 1 ;;
esac
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$house/Cargo.toml" | head -n 1)
said="banneret $version"
now() { date +%s%N; }
seconds() { printf '%d.%02d' $((($2 - $1) / 1000000000)) $((($2 - $1) / 10000000 % 100)); }

# What a game needs of an environment: nothing.
bare() { env -i HOME="$work/home" PATH="$1" "${@:2}"; }
first_card() {
  rm -rf "$work/table" && mkdir -p "$work/home" "$work/table" && cd "$work/table"
  bare "$1" banneret new my_faction --rules worlds_collide >/dev/null
  bare "$1" banneret cards my_faction --format pdf --sheet a4 -o printed >/dev/null
  test "$(head -c 5 printed/my_faction-a4.pdf)" = '%PDF-'
}

python3 "$house/packaging/pack.py" "$target" "$binary" "$out"
python3 "$house/packaging/pack.py" launcher "$out"
(cd "$out" && sha256sum --quiet -c ./*.sha256)

start=$(now)
mkdir "$work/unpacked" && tar -xzf "$out/banneret-$version-$target.tar.gz" -C "$work/unpacked"
first_card "$work/unpacked/banneret-$version-$target"
echo "archive: from unpacking to the first printed card in $(seconds "$start" "$(now)") s"

BANNERET_INSTALL_DIR="$work/installed" sh "$house/packaging/install.sh" "$out" "$version" >/dev/null
test "$("$work/installed/banneret" --version)" = "$said"
damaged="$work/damaged" && cp -r "$out" "$damaged" && printf 'x' >>"$damaged/banneret-$version-$target.tar.gz"
if BANNERET_INSTALL_DIR="$work/not" sh "$house/packaging/install.sh" "$damaged" "$version" >/dev/null 2>&1 || [ -e "$work/not" ]; then
  echo "a damaged archive was installed" >&2
  exit 1
fi
echo "installer: fine, and a damaged archive is refused"

# The tutorial, word by word, with the command from the archive: the test empties its environment. The profile is that of the test, not of the command.
if command -v cargo >/dev/null && [ -z "${BANNERET_NO_TUTORIAL:-}" ]; then
  follow() { cargo test --quiet --offline --locked ${BANNERET_PROFILE:+--profile "$BANNERET_PROFILE"} -p banneret --test command "$@" >/dev/null; }
  cd "$house" && follow --no-run
  start=$(now)
  BANNERET_COMMAND="$work/unpacked/banneret-$version-$target/banneret" follow -- can_be_followed_from_an_empty_folder
  echo "archive: the tutorial and the guide for rule systems were followed, every command of them in $(seconds "$start" "$(now)") s"
fi

if command -v npm >/dev/null; then
  mkdir "$work/npm" && cd "$work/npm"
  start=$(now)
  npm install --silent --offline --no-audit --no-fund --cache "$work/npm-cache" \
    "$out/banneret-$machine-$version.tgz" "$out/banneret-$version.tgz" >/dev/null
  test "$(npx --offline banneret --version)" = "$said"
  first_card "$work/npm/node_modules/.bin:$(dirname "$(command -v node)"):/usr/bin:/bin"
  echo "npm: installed from files into an empty folder, first printed card after $(seconds "$start" "$(now)") s"
else
  echo "npm: left out, there is no npm here"
fi

if python3 -c 'import venv, ensurepip' 2>/dev/null; then
  start=$(now)
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$out"/banneret-"$version"-py3-none-*.whl
  test "$("$work/venv/bin/banneret" --version)" = "$said"
  first_card "$work/venv/bin"
  echo "PyPI: installed from a wheel into an empty venv, first printed card after $(seconds "$start" "$(now)") s"
else
  echo "PyPI: left out, there is no venv here"
fi
