#!/usr/bin/env python3
"""ablation.py [TINE]: removes one mechanism at a time and measures the difference; `make bench-ablation` calls it.

Twelve units and programs are explored with one worker and a fixed number of runs, once with everything and once
without each solver tier. The programs that no budget exhausts are also explored, with several seeds, without each part
of the strategy `auto`. Results go to benches/results/ablation/DATE-COMMIT-ablation.json and docs/ablation.md.

About 20 minutes. BENCH_PREFIX (such as "chrt -f 10") comes before each tine, SEEDS (3) is the number of seeds.
Programs are fetched and built below target/benches (or $TINE_BENCH_DIR).
"""

import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = pathlib.Path(os.environ.get("TINE_BENCH_DIR", ROOT / "target/benches")).absolute()
PREFIX = os.environ.get("BENCH_PREFIX", "").split()
SEEDS = range(1, int(os.environ.get("SEEDS", "3")) + 1)
COMMON = "--jobs 1 --solver-timeout 1s --max-time 30s --json --quiet".split()

# (name, kind, source or program, options); kinds: a function, a file with a main, a program of benches/programs.
WORKLOADS = [
    ("red-black insert", "test", "benches/structures/red_black.check.c", "--fn insert --requires can_insert --max-objects 5"),
    ("hash table find", "test", "benches/structures/hash_table.check.c", "--fn find --requires can_find --max-objects 2"),
    ("heap sort", "test", "benches/structures/heap_sort.check.c", "--fn sort --requires can_sort"),
    ("sort by difference", "test", "tests/units/integers/order_by_difference.c", "--fn heap"),
    ("sys/tree remove", "test", "tests/structures/tree/rb_remove.c", "--fn remove --requires is_valid --max-objects 5"),
    ("utlist sort", "test", "tests/structures/utlist/dl_sort.c", "--fn sort --requires is_valid --max-objects 4"),
    ("uthash find", "test", "tests/structures/uthash/find.c", "--fn find --cflags=-DONE_BUCKET"),
    ("calculator", "file", "examples/calculator.c", "--max-runs 2000"),
    ("table scanner", "file", "benches/scanners/dfa.c", "--sym-stdin 32 --max-runs 1000"),
    ("base64", "file", "benches/scanners/base64.c", "--sym-stdin 32 --max-runs 1500"),
    ("cJSON", "program", "cjson", "--max-runs 8000"),
    ("expat", "program", "expat", "--max-runs 3000"),
    ("grep", "program", "grep", "--max-runs 800"),
]
OPEN_ENDED = ["calculator", "table scanner", "base64", "cJSON", "expat", "grep"]
TIERS = ("rewrite trivial slice common pointers direct bytes differences cache ranges guess values cases").split()
PARTS = ("generational cfg random random-branch random-path priority rare uncovered failure-limit cost-limit mutation restarts").split()

# Names in earlier results that refer to deleted mechanisms.
DELETED = """\
- The tier `contradiction` (time 1.02 without it, all else equal): its one test is part of `trivial`."""


def run(command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def prepared(tine, kind, source, options):
    """The arguments that explore a workload, after building what can be built once."""
    if kind == "test":
        return ["test", str(ROOT / source), *options.split()]
    if kind == "file":
        program = WORK / "ablation" / pathlib.Path(source).stem
        program.parent.mkdir(parents=True, exist_ok=True)
        run([tine, "cc", "-g", "-o", str(program), str(ROOT / source)])
        return ["run", str(program), *options.split()]
    script = f"""here={HERE} root={ROOT} work={WORK} tine={tine}
        . {HERE}/programs/build.sh && built {source} tine >&2 && echo "$program" && echo $(options)"""
    program, inputs = run(["bash", "-c", script]).strip().split("\n")[-2:]
    return ["run", program, *inputs.split(), *options.split()]


def explored(tine, arguments, extra, seed):
    with tempfile.TemporaryDirectory() as folder:
        command = [*PREFIX, tine, *arguments, *COMMON, "--seed", str(seed), "--out", folder + "/out", *extra]
        output = subprocess.run(command, text=True, capture_output=True, cwd=folder, stdin=subprocess.DEVNULL)
    summary = json.loads(output.stdout)
    solver = summary["solver"]
    return {
        "ms": summary["time_ms"],
        "runs": summary["runs"],
        "sides": summary["branches_covered"],
        "queries": solver["queries"],
        "unknown": solver["unknown"],
        "smt": solver["tiers"]["bitwuzla"]["answered"],
        "verdict": summary["verdict"],
    }


def best_of_two(tine, words, extra):
    return min((explored(tine, words, extra, 1) for _ in range(2)), key=lambda result: result["ms"])


def without_tiers(tine, arguments):
    rows = {}
    for name, words in arguments.items():
        rows[name] = {"nothing": best_of_two(tine, words, [])}
        for tier in TIERS:
            rows[name][tier] = best_of_two(tine, words, ["--no-tier", tier])
        print(f"{name}: {len(rows[name])} measured", file=sys.stderr)
    return rows


def without_parts(tine, arguments):
    rows = {}
    for name in OPEN_ENDED:
        for part in ["nothing", *PARTS]:
            strategy = "auto" if part == "nothing" else f"auto:without={part}"
            results = [explored(tine, arguments[name], ["--strategy", strategy], seed) for seed in SEEDS]
            rows.setdefault(name, {})[part] = results
        print(f"{name}: {len(rows[name])} measured with {len(SEEDS)} seeds", file=sys.stderr)
    return rows


def ratio(result, base):
    """Time of a run as a multiple of the time with everything; at least a millisecond, the resolution."""
    return max(result["ms"], 1) / max(base["ms"], 1)


def tier_table(rows):
    lines = ["| without | time, mean | worst | on | sides | unknown | queries to SMT |", "|---|---|---|---|---|---|---|"]
    base = {name: row["nothing"] for name, row in rows.items()}
    total = lambda key, tier: sum(row[tier][key] for row in rows.values())
    for tier in next(iter(rows.values())):
        ratios = {name: ratio(row[tier], base[name]) for name, row in rows.items()}
        mean = math.exp(statistics.mean(math.log(value) for value in ratios.values()))
        worst = max(ratios, key=ratios.get)
        lines.append(
            f"| {tier} | {mean:.2f} | {ratios[worst]:.2f} | {worst} | {total('sides', tier)} | {total('unknown', tier)} | {total('smt', tier)} |"
        )
    return "\n".join(lines)


def part_table(rows):
    names = list(rows)
    lines = ["| without | " + " | ".join(names) + " | sum | seconds |", "|---|" + "---|" * (len(names) + 2)]
    for part in rows[names[0]]:
        means = [statistics.mean(result["sides"] for result in rows[name][part]) for name in names]
        seconds = sum(statistics.mean(result["ms"] for result in rows[name][part]) for name in names) / 1000
        cells = " | ".join(f"{mean:.0f}" for mean in means)
        lines.append(f"| {part} | {cells} | {sum(means):.0f} | {seconds:.1f} |")
    return "\n".join(lines)


def document(results):
    workloads = "\n".join(f"- {name}: `{source}`, {options}" for name, _, source, options in WORKLOADS)
    return f"""# Ablation

Generated by `make bench-ablation` from `benches/results/ablation/{results["file"]}`. Do not edit.

{results["date"]}, commit {results["commit"]}, {results["machine"]}. One worker, `{" ".join(COMMON[2:6])}`.

## Solver tiers

Each tier is removed in turn (`--no-tier`). *Time* is a multiple of the time with all tiers: the geometric mean over all
workloads, and the worst workload. Branch sides, unknown queries and queries that reach the SMT solver are sums.

{tier_table(results["tiers"])}

## Parts of `auto`

Branch sides covered with the same number of runs, and the time of all, mean of {results["seeds"]} seeds (`--strategy auto:without=PART`).

{part_table(results["parts"])}

## Deleted because of these tables

{DELETED}

## Workloads

{workloads}
"""


def machine():
    model = [line for line in open("/proc/cpuinfo") if line.startswith("model name")]
    name = model[0].split(":")[1].strip() if model else platform.machine()
    return f"{os.cpu_count()} × {name}, load {os.getloadavg()[0]:.1f}"


def main():
    tine = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine")
    arguments = {name: prepared(tine, kind, source, options) for name, kind, source, options in WORKLOADS}
    results = {
        "date": time.strftime("%Y-%m-%d"),
        "commit": run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]).strip(),
        "machine": machine(),
        "seeds": len(SEEDS),
        "tiers": without_tiers(tine, arguments),
        "parts": without_parts(tine, arguments),
    }
    results["file"] = f"{results['date']}-{results['commit']}-ablation.json"
    folder = HERE / "results/ablation"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / results["file"]).write_text(json.dumps(results, indent=1) + "\n")
    (ROOT / "docs/ablation.md").write_text(document(results))


main()
