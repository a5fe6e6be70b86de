#!/usr/bin/env python3
"""headlines.py [TINE]: what papers and peers report, measured again on subjects of the same kind; `make bench-headlines` calls it.

Subjects are in benches/headlines. Each row is explored with one worker, three times (REPEAT), and the fastest counts.
Results go to benches/results/DATE-headlines.json, from which `make bench-report` writes docs/benchmarks.md.
BENCH_PREFIX (such as "chrt -f 10") comes before each tine. grep and Vim are in `make bench-search`.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PREFIX = os.environ.get("BENCH_PREFIX", "").split()
REPEAT = int(os.environ.get("REPEAT", "3"))
MAX_TIME = "60s"

TREE, LIST, HASHED, SORTING = ("balanced_tree.c", "list_length.c", "hashed_lists.c", "sorting.c")
CALLS = "init,add*,add_if_absent*,is_member*"
UNCHECKED = "--check=-signed-overflow"

# (subject, published result, its seconds, goal in seconds, command, until the first error instead of the end)
ROWS = [
    ("check of a balanced tree, depth 15", "Bullseye: 23.7 s, 288 paths", 23.733, 1.0, f"test {TREE} --fn check --depth 15", False),
    ("length of a list, depth 50", "Bullseye: 0.56 s", 0.557, 0.02, f"test {LIST} --fn length --depth 50", False),
    ("length of a list, depth 200", "Bullseye: 9.0 s", 8.992, 0.1, f"test {LIST} --fn length --depth 200", False),
    ("hash table of lists, infinite loop by calls", "CUTE: 1 s, 193 runs", 1.0, 0.5, f"sequence {HASHED} --calls {CALLS} --max-calls 4", True),
    ("hash table of lists, 4 calls, all", "", None, 10.0, f"sequence {HASHED} --calls {CALLS} --max-calls 4", False),
    ("quick sort of 5, difference", "KLEE: 3.2 s, 600 paths", 3.2, 0.3, f"test {SORTING} --fn quick {UNCHECKED}", False),
    ("quick sort of 5, overflow checked", "", None, 0.6, f"test {SORTING} --fn quick", False),
    ("heap sort of 5, difference", "KLEE: 8.0 s", 8.0, 0.8, f"test {SORTING} --fn heap {UNCHECKED}", False),
    ("heap sort of 5, overflow checked", "", None, 1.2, f"test {SORTING} --fn heap", False),
]


def run(command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def explored(tine, words, max_runs):
    """Summary of one exploration and its time in seconds. Building is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        command, file, *options = words.split()
        arguments = [command, str(HERE / "headlines" / file), *options, *"--jobs 1 --json --quiet --max-time".split(), MAX_TIME]
        if max_runs:
            arguments += ["--max-runs", str(max_runs)]
        output = subprocess.run([*PREFIX, tine, *arguments, "--out", folder + "/out"], text=True, capture_output=True, cwd=folder)
    if not output.stdout.startswith("{"):
        sys.exit(f"headlines: {words}: {output.stderr}")
    summary = json.loads(output.stdout)
    return summary, summary["time_ms"] / 1000


def first_error(tine, words):
    """Runs until the first error; none if there is no error."""
    summary, _ = explored(tine, words, None)
    return min((error["case"] for error in summary["errors"]), default=None)


def row(tine, subject, published, theirs, goal, words, until_error):
    max_runs = first_error(tine, words) if until_error else None
    summary, seconds = min((explored(tine, words, max_runs) for _ in range(REPEAT)), key=lambda result: result[1])
    errors = len(summary["errors"])
    is_done = errors > 0 if until_error else summary["verdict"] != "incomplete" or not any(
        "not tried" in reason["what"] for reason in summary["reasons"])
    ratio = f"{theirs / seconds:.2g}×" if theirs and is_done else ""
    time_text = f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"
    goal_text = f"{goal:g} s" if goal >= 0.5 else f"{goal * 1000:.0f} ms"
    verdict = f"error at run {summary['runs']}" if until_error and errors else summary["verdict"]
    cells = [subject, time_text if is_done else f"unfinished in {MAX_TIME}", f"{summary['runs']:,}", str(errors), verdict, published, ratio, goal_text]
    print("| " + " | ".join(cells) + " |", flush=True)
    return cells


def machine():
    lines = open("/proc/cpuinfo").read().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gib": round(pages / 2**30),
        "system": platform.system() + " " + platform.release().split("-")[0],
        "clang": run(["clang-22", "-dumpversion"]),
        "rustc": run(["rustc", "--version"]).split()[1],
    }


def main():
    tine = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine")
    load = os.getloadavg()[0]
    columns = ["subject", "time", "runs", "errors", "verdict", "published", "ratio", "goal"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    rows = [row(tine, *entry) for entry in ROWS]
    date = time.strftime("%Y-%m-%d")
    result = {
        "schema": 1,
        "name": "headlines",
        "title": "What papers report",
        "date": date,
        "commit": run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]),
        "machine": machine(),
        "command": "make bench-headlines",
        "note": f"Subjects in the style of the papers'; time of exploration without building, the best of {REPEAT}, one worker. "
        f"Load of the machine at the start: {load:.1f}. Published times are from the machines of their time.",
        "columns": columns,
        "rows": rows,
    }
    file = HERE / "results" / f"{date}-headlines.json"
    file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


main()
