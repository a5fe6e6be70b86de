#!/usr/bin/env python3
"""believable.py [TINE]: reports about functions of Debian libraries; `make bench-believable` calls it.

benches/believable/list.txt has the functions, and what a person found out about each report:

    inih ini.c ini_parse_string            package, file, function, further options of tine
        requires string != NULL            a requirement that callers have to meet
        bug 12 array index out of bounds   a true bug, with its line
        impossible 30 division by zero     an error that no caller can cause

Sources are fetched by benches/fetch.sh into WORK (target/believable). SECONDS_EACH (20) is the time per function, NAMES
selects functions. Results go to benches/results/DATE-believable.json, from which `make bench-report` writes
docs/benchmarks.md. Reports that the list does not have are printed: they have to be judged by a person.
"""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TINE = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine").resolve())
WORK = pathlib.Path(os.environ.get("WORK", ROOT / "target/believable"))
SECONDS = os.environ.get("SECONDS_EACH", "20")
NAMES = os.environ.get("NAMES", "").split()


def read_list():
    """The functions, each with its judged reports."""
    functions = []
    for line in (HERE / "believable/list.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if not line.startswith((" ", "\t")):
            functions.append({"package": words[0], "file": words[1], "function": words[2], "options": words[3:],
                              "requires": [], "bug": [], "impossible": []})
        elif words[0] == "requires":
            functions[-1]["requires"].append(" ".join(words[1:]))
        else:
            functions[-1][words[0]].append((int(words[1]), " ".join(words[2:])))
    return [known for known in functions if not NAMES or known["function"] in NAMES]


def explore(known):
    """The summary of tine, or None if the function cannot be explored."""
    folder = WORK / known["package"]
    out = WORK / "sessions" / known["function"]
    subprocess.run(["rm", "-rf", str(out)], check=True)
    options = [option.replace("DIR", str(folder)) for option in known["options"]]
    words = [TINE, "test", str(folder / known["file"]), "--fn", known["function"], *options]
    words += ["--max-time", f"{SECONDS}s", "--json", "--quiet", "--out", str(out)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        print(f"  not explored: {ran.stderr.strip()}")
        return None
    return json.loads(ran.stdout)


def judge(known, summary):
    """Counts of the reports by judgement; prints those without a judgement."""
    counts = dict.fromkeys(["bugs", "impossible", "not judged", "required", "missing", "lost", "not shown"], 0)
    errors = [(error["line"], error["kind"]) for error in summary["errors"]]
    for error in errors:
        kind = next((kind for kind in ("bug", "impossible") if error in known[kind]), None)
        counts[{"bug": "bugs", "impossible": "impossible", None: "not judged"}[kind]] += 1
        if kind is None:
            print(f"    error {error[0]} {error[1]}")
    found = [required["condition"] for required in summary.get("requirements", [])]
    for condition in known["requires"]:
        counts["required" if condition in found else "missing"] += 1
    for condition in found:
        if condition not in known["requires"]:
            print(f"    requires {condition}")
    counts["lost"] = sum(bug not in errors for bug in known["bug"])
    counts["not shown"] = len(summary.get("not_shown_reachable", []))
    counts["entries"] = len(errors) + len(found) + counts["not shown"]
    return counts


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    memory = int(re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1])
    version = lambda *words: re.search(r"\d+\.\d+(\.\d+)?", subprocess.run(words, capture_output=True, text=True).stdout)[0]
    return {"cpu": model, "cores": os.cpu_count(), "memory_gib": round(memory / 2**20), "system": platform.system() + " " + platform.release().split("-")[0],
            "clang": version("clang-22", "--version"), "rustc": version("rustc", "--version")}


def main():
    functions = read_list()
    packages = sorted({known["package"] for known in functions})
    subprocess.run([str(HERE / "fetch.sh"), str(WORK), *packages], check=True)
    load = os.getloadavg()[0]
    columns = ["bugs", "impossible", "not judged", "required", "missing", "lost", "not shown", "entries"]
    rows, total = [], dict.fromkeys(columns, 0)
    for known in functions:
        print(f"{known['package']}: {known['function']}", flush=True)
        summary = explore(known)
        if summary is None:
            continue
        counts = judge(known, summary)
        rows.append([f"{known['package']}: `{known['function']}`", *(str(counts[column]) for column in columns)])
        for column in columns:
            total[column] += counts[column]
    rows.append(["all", *(str(total[column]) for column in columns)])
    for row in rows:
        print("  ".join(row))
    date = datetime.date.today().isoformat()
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    n_errors = total["bugs"] + total["impossible"] + total["not judged"]
    share = round(100 * (total["impossible"] + total["not judged"]) / n_errors) if n_errors else 0
    result = {
        "schema": 1,
        "name": "believable",
        "title": "Reports about functions of libraries",
        "date": date,
        "commit": commit.stdout.strip(),
        "machine": machine(),
        "command": "make bench-believable",
        "note": f"{len(rows) - 1} functions of {len(packages)} Debian packages, {SECONDS} s each; load of the machine at "
                f"the start: {load:.1f}. Errors that are not known to be true bugs: {share} % (goal: 20 %). "
                f"`required` and `missing`: requirements of the hand-made list; `lost`: its true bugs that were not "
                f"errors. The goal is 40 functions of ten packages.",
        "columns": ["function", *columns],
        "rows": rows,
    }
    if not NAMES:
        file = HERE / "results" / f"{date}-believable.json"
        file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


main()
