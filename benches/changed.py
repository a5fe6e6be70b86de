#!/usr/bin/env python3
"""changed.py [TINE]: mutants of the structures, and the runs until an input kills them; `make bench-changed` calls it.

The operations of benches/structures are mutated with `tine mutate`, under each strategy of STRATEGIES. `targeted` knows the
mutated line, and `probabilistic` gets the weights that `tine influence` writes for it. A mutant that no strategy kills and
one proves equivalent is equivalent. The sessions of `tine test` for the unchanged operations are suites: the table says how
many of the killed mutants they detect, too.

SAMPLE (1) takes every n-th mutant, SECONDS_EACH (10) is the time for each, NAMES are structures [default: all]. BENCH_PREFIX
(such as "chrt -f 10") comes before each tine. Prints a table; RESULT=1 writes it to benches/results, too.
"""

import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TINE = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine").resolve())
PREFIX = os.environ.get("BENCH_PREFIX", "").split()
SAMPLE = int(os.environ.get("SAMPLE", "1"))
SECONDS = os.environ.get("SECONDS_EACH", "10")
NAMES = os.environ.get("NAMES", "list doubly_linked red_black hash_table heap_sort quick_sort").split()
STRATEGIES = os.environ.get("STRATEGIES", "targeted bounded-dfs probabilistic auto random").split()


def tine(*words):
    return subprocess.run([*PREFIX, TINE, *map(str, words)], capture_output=True, text=True, check=False)


def unit(name, folder):
    """Code and checks of a structure as one file, because only functions of the file itself are mutated."""
    code = (HERE / "structures" / f"{name}.c").read_text()
    checks = (HERE / "structures" / f"{name}.check.c").read_text().replace(f'#include "{name}.c"', "")
    file = folder / f"{name}.c"
    file.write_text(code + checks)
    operations = re.findall(r"^/\* op: (\S+)(.*) \*/$", checks, re.M)
    return file, [(op, re.findall(r"max-objects=(\d+)", options)) for op, options in operations]


class Operation:
    """One function of a structure, with the bounds of its inputs."""

    def __init__(self, file, name, bounds, folder):
        self.file, self.name, self.folder = file, name, folder
        self.inputs = ["--fn", name, "--requires", f"can_{name}"]
        self.inputs += ["--max-objects", min(int(bounds[0]), 3)] if bounds else []

    def mutants(self, label, only, *options):
        """Fates of the mutants with these numbers."""
        if not only:
            return []
        ran = tine("mutate", self.file, *self.inputs, "--jobs", 1, "--max-time", f"{SECONDS}s", "--json", "--quiet", "--out",
                   self.folder / f"{self.name}-{label}", "--only", ",".join(map(str, only)), *options)
        if ran.returncode != 0:
            sys.exit(f"changed: {self.file.name} {self.name}: {ran.stderr}")
        return json.loads(ran.stdout)["mutants"]

    def all_mutants(self):
        """Numbers and lines of the mutants."""
        ran = tine("mutate", self.file, *self.inputs, "--max-runs", 1, "--jobs", 1, "--json", "--quiet", "--out",
                   self.folder / f"{self.name}-list")
        if ran.returncode != 0:
            sys.exit(f"changed: {self.file.name} {self.name}: {ran.stderr}")
        return [(one["number"], one["line"]) for one in json.loads(ran.stdout)["mutants"]][::SAMPLE]

    def under(self, strategy, numbered):
        """Fates of mutants under a strategy."""
        if strategy not in ("targeted", "probabilistic"):
            return self.mutants(strategy, [number for number, _ in numbered], "--strategy", strategy)
        fates = []
        for line in sorted({line for _, line in numbered}):
            only = [number for number, at in numbered if at == line]
            target = ["--target", f"{self.file.name}:{line}"]
            if strategy == "probabilistic":
                weights = self.folder / f"{self.name}.weights"
                ran = tine("influence", self.file, "--fn", self.name, *target, "--weights", weights)
                if ran.returncode != 0:
                    sys.exit(f"changed: {self.file.name}:{line}: {ran.stderr}")
                options = ["--strategy", f"probabilistic:weights={weights}"]
            else:
                options = ["--strategy", strategy, *target]
            fates += self.mutants(f"{strategy}-{line}", only, *options)
        return fates

    def detected(self, only):
        """Numbers of the mutants that the cases of the unchanged operation kill."""
        suite = self.folder / f"{self.name}-suite"
        tine("test", self.file, *self.inputs, "--quiet", "--max-time", "60s", "--out", suite)
        fates = self.mutants("detected", only, "--suite", suite)
        return {one["number"] for one in fates if one["fate"] == "killed"}


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0].strip()


def write_result(columns, rows, note):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    date = datetime.date.today().isoformat()
    result = {
        "schema": 1, "name": "changed", "title": "Mutants of structures", "date": date,
        "commit": first_line("git", "-C", HERE, "rev-parse", "--short=12", "HEAD"),
        "machine": {"cpu": cpu, "cores": os.cpu_count(), "memory_gib": round(memory / 2**30),
                    "system": f"Linux {platform.release()}", "clang": first_line("clang-22", "-dumpversion"),
                    "rustc": first_line("rustc", "--version").split(" ")[1]},
        "command": "make bench-changed", "note": note, "columns": columns, "rows": rows,
    }
    with open(HERE / "results" / f"{date}-changed.json", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


def main():
    results, detected = {}, 0
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name in NAMES:
            file, operations = unit(name, folder)
            for op, bounds in operations:
                operation = Operation(file, op, bounds, folder)
                numbered = operation.all_mutants()
                fates = {number: {} for number, _ in numbered}
                for strategy in STRATEGIES:
                    for mutant in operation.under(strategy, numbered):
                        fates[mutant["number"]][strategy] = mutant
                killed = [number for number, by in fates.items() if any(one["fate"] == "killed" for one in by.values())]
                detected += len(operation.detected(killed))
                results.update({(name, op, number): by for number, by in fates.items()})
                print(f"{name} {op}: {len(fates)} mutants, {len(killed)} killed", file=sys.stderr)

    def has(by, fate):
        return any(one["fate"].startswith(fate) for one in by.values())

    killed = {key for key, by in results.items() if has(by, "killed")}
    equivalent = {key for key, by in results.items() if has(by, "equivalent") and key not in killed}
    note = (f"{len(results)} mutants: {len(killed)} killed, {len(equivalent)} proved equivalent, within the bounds or not, "
            f"{len(results) - len(killed) - len(equivalent)} undecided. The suites of the unchanged operations detect {detected} "
            f"of the killed ones. At most {SECONDS} s for each mutant. Medians are over the mutants that every strategy kills. "
            "Goals: targeted needs a fifth of the runs of bounded-dfs and half of those of auto; 90 % are killed, and the "
            "suites detect 90 %.")
    columns = ["strategy", "killed", "median runs", "median ms"]
    by_all = [key for key in killed if all(results[key].get(name, {}).get("fate") == "killed" for name in STRATEGIES)]
    rows = []
    for strategy in STRATEGIES:
        n_killed = sum(results[key].get(strategy, {}).get("fate") == "killed" for key in killed)
        common = [results[key][strategy] for key in by_all]
        medians = [f"{statistics.median(one[what] for one in common):.0f}" if common else "–" for what in ("runs", "time_ms")]
        rows.append([f"`{strategy}`", str(n_killed), *medians])
    print(note)
    for row in [columns, *rows]:
        print("".join(f"{cell:<16}" for cell in row))
    if os.environ.get("RESULT"):
        write_result(columns, rows, note)


main()
