"""Fail unless a wheel holds every file of src/bluered and recipes that git tracks, and no other."""

import subprocess
import sys
import zipfile

tracked = subprocess.run(
    ["git", "ls-files", "src/bluered", "recipes"], capture_output=True, text=True, check=True
).stdout.splitlines()
expected = {
    f"bluered/training/{path}" if path.startswith("recipes/") else path.removeprefix("src/")
    for path in tracked
}
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = set(wheel.namelist())
packaged = {name for name in names if name.startswith("bluered/")}
licences = {"LICENSE", "NOTICE"} - {name.rpartition("/")[2] for name in names}
if packaged != expected or licences:
    missing, more = expected - packaged | licences, packaged - expected
    sys.exit(f"missing: {sorted(missing)}; more: {sorted(more)}")
sys.stdout.write(f"{len(packaged)} files\n")
