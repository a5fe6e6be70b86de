"""measure.py NAME FOLDER COUNTS [FUNCTIONS]: one line of programs.sh, from the summary, the session and what gcov printed.

COUNTS is a shell function `counts FILE`: whether the branches and lines of a source file count. FUNCTIONS is a regular
expression: of branches, only those in functions that it matches count.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys

name, folder, counts = sys.argv[1:4]
matters = re.compile(sys.argv[4] if len(sys.argv) > 4 and sys.argv[4] else "")
summary = json.load(open(os.path.join(folder, "summary.json")))
known = {}


def counted(path):
    if path not in known:
        script = counts + '\ncounts "$1"'
        environment = dict(os.environ, tool=name.split("/")[-1])
        known[path] = subprocess.run(["bash", "-c", script, "-", path], env=environment).returncode == 0
    return known[path]


functions = [f for f in summary["functions"] if counted(f["file"]) and matters.search(f["function"])]
covered, total = sum(f["covered"] for f in functions), sum(f["total"] for f in functions)

# Lines by file: executed, and all that there are.
executed, lines, file = set(), set(), ""
for line in open(os.path.join(folder, "gcov.txt"), errors="replace"):
    match = re.match(r" *([-#=\d]+)\*?: *(\d+):(.*)", line)
    if not match:
        continue
    count, number, text = match.group(1), int(match.group(2)), match.group(3)
    if number == 0:
        if text.startswith("Source:"):
            file = os.path.basename(text[len("Source:"):])
        continue
    if count != "-" and counted("/" + file) | counted(file):
        lines.add((file, number))
        if count[0] not in "#=":
            executed.add((file, number))

session = sqlite3.connect(os.path.join(folder, "session", "session.db"))
branches = session.execute("SELECT file, line FROM branches WHERE case_id IS NOT NULL").fetchall()
taken = {(os.path.basename(path), line) for path, line in branches if counted(path)} & lines
agree = len(taken & executed)
lost = sum(1 for reason in summary["reasons"] if reason["what"].startswith("input flows into "))
rate = summary["runs"] * 1000 // max(summary["time_ms"], 1)


def share(part, whole):
    return f"{part}/{whole} {100 * part / whole if whole else 0:.1f}%"


print(
    f"{name:<18} {summary['runs']:>7} {rate:>7} {share(covered, total):>16} {share(len(executed), len(lines)):>16} "
    f"{agree}/{len(taken):<6} {lost:>5} {len(summary['errors']):>6}"
)
