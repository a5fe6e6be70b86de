#!/usr/bin/env python3
"""specs.py [TINE [SEEDS]]: runs until the violation of a specification, with plain auto, auto and spec; `make bench-spec`.

Ten components with a seeded violation each. Prints the geometric mean over the seeds, and writes benches/results."""

import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TINE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else f"{HERE}/../target/release/tine")
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
MAX_RUNS = 10_000
UNITS = {
    "connection": "client", "queue": "producer", "locks": "worker", "iterator": "editor", "file": "logger",
    "flush": "printer", "login": "session", "transaction": "store", "device": "driver", "pool": "user",
}
STRATEGIES = {"plain auto": "auto:without=spec", "auto": "auto", "spec": "spec"}


def runs_to_violation(unit, strategy, seed):
    """Runs until the first violation; MAX_RUNS if there is none."""
    with tempfile.TemporaryDirectory() as work:
        command = [TINE, "test", f"{HERE}/specs/{unit}.c", "--fn", UNITS[unit], "--len", "steps=24", "--jobs", "1",
                   "--strategy", strategy, "--seed", str(seed), "--max-runs", str(MAX_RUNS), "--json", "--quiet",
                   "--out", f"{work}/out"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        errors = json.loads(ran.stdout)["errors"]
        return min((error["case"] for error in errors if error["kind"] == "specification violated"), default=MAX_RUNS)


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


rows = {}
print("| component | " + " | ".join(STRATEGIES) + " |")
print("|---" * (len(STRATEGIES) + 1) + "|")
for unit in UNITS:
    rows[unit] = {name: mean([runs_to_violation(unit, strategy, seed) for seed in range(1, SEEDS + 1)])
                  for name, strategy in STRATEGIES.items()}
    print(f"| {unit} | " + " | ".join(f"{rows[unit][name]:.0f}" for name in STRATEGIES) + " |", flush=True)
means = {name: mean([row[name] for row in rows.values()]) for name in STRATEGIES}
print("| mean | " + " | ".join(f"{means[name]:.0f}" for name in STRATEGIES) + " |")



def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0].strip()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cpu": cpu, "cores": os.cpu_count(), "memory_gib": round(memory / 2**30), "system": f"Linux {platform.release()}",
            "clang": first_line("clang-22", "-dumpversion"), "rustc": first_line("rustc", "--version").split(" ")[1]}


date = datetime.date.today().isoformat()
result = {
    "schema": 1, "name": "specs", "title": "Violations of specifications", "date": date,
    "commit": first_line("git", "-C", HERE, "rev-parse", "--short=12", "HEAD"), "machine": machine(),
    "command": "make bench-spec",
    "note": f"Runs until the seeded violation; geometric mean of {SEEDS} seeds, at most {MAX_RUNS:,} runs. Goal: spec needs a "
            "third of plain auto.",
    "columns": ["component", *STRATEGIES],
    "rows": [[unit, *(f"{row[name]:,.0f}" for name in STRATEGIES)] for unit, row in rows.items()]
            + [["geometric mean", *(f"{means[name]:,.0f}" for name in STRATEGIES)]],
}
with open(f"{HERE}/results/{date}-specs.json", "w", encoding="utf-8") as file:
    json.dump(result, file, indent=1)
    file.write("\n")
