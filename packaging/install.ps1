# Puts the command `banneret` into a folder of yours, after comparing its checksum, and that folder into your PATH.
#
#   .\install.ps1 -From ADDRESS-OR-FOLDER [-Version 0.2.0]
param(
  [Parameter(Mandatory = $true)][string]$From,
  [string]$Version = "0.2.0",
  [string]$Into = "$env:LOCALAPPDATA\Programs\banneret"
)
$ErrorActionPreference = "Stop"

$stem = "banneret-$Version-x86_64-pc-windows-msvc"
$work = New-Item -ItemType Directory -Path (Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid()))
try {
  foreach ($name in "$stem.zip", "$stem.zip.sha256") {
    if (Test-Path -PathType Container $From) { Copy-Item (Join-Path $From $name) $work }
    else { Invoke-WebRequest -UseBasicParsing -Uri "$From/v$Version/$name" -OutFile (Join-Path $work $name) }
  }
  $wanted = (Get-Content (Join-Path $work "$stem.zip.sha256")).Split(" ")[0]
  $is = (Get-FileHash -Algorithm SHA256 (Join-Path $work "$stem.zip")).Hash
  if ($is -ne $wanted) { throw "The archive is damaged: its checksum is another one. Nothing was installed." }
  Expand-Archive (Join-Path $work "$stem.zip") $work
  New-Item -ItemType Directory -Force -Path $Into | Out-Null
  Copy-Item -Force (Join-Path $work "$stem\banneret.exe") $Into
} finally {
  Remove-Item -Recurse -Force $work
}
$path = [Environment]::GetEnvironmentVariable("Path", "User")
if ($path -notlike "*$Into*") { [Environment]::SetEnvironmentVariable("Path", "$path;$Into", "User") }
Write-Output "Installed $(& "$Into\banneret.exe" --version) in $Into. Open a new terminal to use it."
