#!/usr/bin/env python3
"""changed.py [TINE]: mutants of the structures, and the runs until an input kills them; `make bench-changed` calls it.

The operations of benches/structures are mutated with `tine mutate`, under each strategy of STRATEGIES (those of "auto
bounded-dfs random targeted" that this tine has). A mutant that no strategy kills and one proves equivalent is equivalent. SAMPLE (4) takes every
fourth mutant, SECONDS (5) is the time for each, NAMES are structures [default: list heap_sort quick_sort].
BENCH_PREFIX (such as "chrt -f 10") comes before each tine. Writes a table to standard output.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TINE = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine").resolve())
PREFIX = os.environ.get("BENCH_PREFIX", "").split()
SAMPLE = int(os.environ.get("SAMPLE", "4"))
SECONDS = os.environ.get("SECONDS_EACH", "5")
NAMES = os.environ.get("NAMES", "list heap_sort quick_sort").split()


def tine(*words):
    return subprocess.run([*PREFIX, TINE, *words], capture_output=True, text=True, check=False)


def strategies():
    listed = tine("strategies").stdout
    wanted = os.environ.get("STRATEGIES", "auto bounded-dfs random targeted").split()
    return [name for name in wanted if re.search(rf"^\s*{re.escape(name)}\b", listed, re.M)]


def unit(name, folder):
    """Code and checks of a structure as one file, because only functions of the file itself are mutated."""
    code = (HERE / "structures" / f"{name}.c").read_text()
    checks = (HERE / "structures" / f"{name}.check.c").read_text().replace(f'#include "{name}.c"', "")
    file = folder / f"{name}.c"
    file.write_text(code + checks)
    operations = re.findall(r"^/\* op: (\S+)(.*) \*/$", checks, re.M)
    return file, [(op, re.findall(r"max-objects=(\d+)", options)) for op, options in operations]


def mutants(file, op, bounds, strategy, folder, only=None):
    bound = ["--max-objects", str(min(int(bounds[0]), 3))] if bounds else []
    words = ["mutate", str(file), "--fn", op, "--requires", f"can_{op}", *bound, "--strategy", strategy, "--jobs", "1"]
    words += ["--max-time", f"{SECONDS}s", "--json", "--quiet", "--out", str(folder / f"{op}-{strategy}")]
    ran = tine(*words, *(["--only", ",".join(map(str, only))] if only else []))
    if ran.returncode != 0:
        sys.exit(f"changed: {file.name} {op}: {ran.stderr}")
    return json.loads(ran.stdout)["mutants"]


def main():
    used = strategies()
    results = {}
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name in NAMES:
            file, operations = unit(name, folder)
            for op, bounds in operations:
                everything = range(1, 10000, SAMPLE)
                for strategy in used:
                    for mutant in mutants(file, op, bounds, strategy, folder, everything):
                        results.setdefault((name, op, mutant["number"]), {})[strategy] = mutant
                print(f"{name} {op}: {sum(key[:2] == (name, op) for key in results)} mutants", file=sys.stderr)
    equivalent = [key for key, by in results.items() if any(one["fate"].startswith("equivalent") for one in by.values())]
    killed = {key for key, by in results.items() if any(one["fate"] == "killed" for one in by.values())}
    print(f"{len(results)} mutants, {len(killed)} killed by some strategy, {len(equivalent)} proved equivalent (within the bounds)")
    print(f"{'strategy':<16}{'killed':>8}{'median runs':>13}{'median ms':>11}")
    for strategy in used:
        own = [by[strategy] for key, by in results.items() if strategy in by and by[strategy]["fate"] == "killed"]
        if own:
            runs, times = (statistics.median(one[what] for one in own) for what in ("runs", "time_ms"))
            print(f"{strategy:<16}{len(own):>8}{runs:>13.0f}{times:>11.0f}")


main()
