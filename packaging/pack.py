#!/usr/bin/env python3
"""Makes what people download from a built command: an archive, an npm package, a PyPI wheel, and their checksums.

    packaging/pack.py TARGET BINARY OUT       what is made for one kind of machine
    packaging/pack.py launcher OUT            the npm package that picks the one for a machine

Needs Python and nothing else. The same input gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import pathlib
import re
import sys
import tarfile
import zipfile

HOUSE = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r'^version = "(.+)"$', (HOUSE / "Cargo.toml").read_text(), re.M).group(1)
SUMMARY = "Write the units, cards, spells and rules of a tabletop game as text, and have them checked, tested, played and printed"
LICENCE = "MIT OR Apache-2.0"
PAPERS = ["LICENSE-MIT", "LICENSE-APACHE", "cards/fonts/OFL.txt"]

# what Rust calls a machine: npm's system and processor, and the tag of a wheel
TARGETS = {
    "x86_64-unknown-linux-gnu": ("linux", "x64", "manylinux_2_35_x86_64"),
    "aarch64-unknown-linux-gnu": ("linux", "arm64", "manylinux_2_35_aarch64"),
    "x86_64-apple-darwin": ("darwin", "x64", "macosx_11_0_x86_64"),
    "aarch64-apple-darwin": ("darwin", "arm64", "macosx_11_0_arm64"),
    "x86_64-pc-windows-msvc": ("win32", "x64", "win_amd64"),
}


def papers():
    return [(pathlib.Path(name).name, (HOUSE / name).read_bytes(), False) for name in PAPERS]


def tarred(files, folder):
    """Name, bytes and whether it is a program, below one folder."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data, runs in files:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), 0o755 if runs else 0o644, 946684800
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), 6, mtime=0)


def zipped(files):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, runs in files:
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, data)
    return raw.getvalue()


def archive(target, program, data):
    stem = f"banneret-{VERSION}-{target}"
    readme = (HOUSE / "packaging" / "START.md").read_bytes()
    files = [(program, data, True), ("README.md", readme, False), *papers()]
    if target.endswith("msvc"):
        return f"{stem}.zip", zipped([(f"{stem}/{name}", text, runs) for name, text, runs in files])
    return f"{stem}.tar.gz", tarred(files, stem)


def npm(target, program, data):
    system, processor, _ = TARGETS[target]
    name = f"banneret-{system}-{processor}"
    about = {
        "name": name, "version": VERSION, "description": f"The command banneret for {system} on {processor}", "license": LICENCE,
        "os": [system], "cpu": [processor], "files": ["bin"],
    }
    files = [("package.json", written(about), False), (f"bin/{program}", data, True), *papers()]
    return f"{name}-{VERSION}.tgz", tarred(files, "package")


def launcher():
    machines = {f"banneret-{system}-{processor}": VERSION for system, processor, _ in TARGETS.values()}
    about = {
        "name": "banneret", "version": VERSION, "description": SUMMARY, "license": LICENCE, "bin": {"banneret": "banneret.js"},
        "engines": {"node": ">=18"}, "files": ["banneret.js"], "optionalDependencies": machines,
    }
    script = (HOUSE / "packaging" / "npm" / "banneret.js").read_bytes()
    readme = (HOUSE / "packaging" / "START.md").read_bytes()
    files = [("package.json", written(about), False), ("banneret.js", script, True), ("README.md", readme, False), *papers()]
    return f"banneret-{VERSION}.tgz", tarred(files, "package")


def wheel(target, program, data):
    _, _, tag = TARGETS[target]
    info = f"banneret-{VERSION}.dist-info"
    readme = (HOUSE / "packaging" / "START.md").read_text()
    about = (
        f"Metadata-Version: 2.1\nName: banneret\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense: {LICENCE}\n"
        f"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}"
    )
    kind = f"Wheel-Version: 1.0\nGenerator: banneret\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n"
    files = [(f"banneret-{VERSION}.data/scripts/{program}", data, True), (f"{info}/METADATA", about.encode(), False), (f"{info}/WHEEL", kind.encode(), False)]
    files += [(f"{info}/licenses/{name}", text, False) for name, text, _ in papers()]
    record = "".join(f"{name},sha256={hashed(text)},{len(text)}\n" for name, text, _ in files) + f"{info}/RECORD,,\n"
    files.append((f"{info}/RECORD", record.encode(), False))
    return f"banneret-{VERSION}-py3-none-{tag}.whl", zipped(files)


def hashed(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def written(about):
    return (json.dumps(about, indent=2) + "\n").encode()


def main(words):
    if len(words) == 2 and words[0] == "launcher":
        made, out = [launcher()], pathlib.Path(words[1])
    elif len(words) == 3 and words[0] in TARGETS:
        target, data, out = words[0], pathlib.Path(words[1]).read_bytes(), pathlib.Path(words[2])
        program = "banneret.exe" if target.endswith("msvc") else "banneret"
        made = [archive(target, program, data), npm(target, program, data), wheel(target, program, data)]
    else:
        sys.exit(f"{__doc__}\nTargets: {', '.join(TARGETS)}")
    out.mkdir(parents=True, exist_ok=True)
    for name, data in made:
        (out / name).write_bytes(data)
        (out / f"{name}.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
        print(f"{name}: {len(data) / 1e6:.1f} MB", flush=True)


main(sys.argv[1:])
