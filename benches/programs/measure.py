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

contents = {}


def text_of(path, line):
    if path not in contents:
        contents[path] = open(path, errors="replace").read().split("\n") if os.path.exists(path) else []
    return contents[path][line - 1] if line <= len(contents[path]) else ""


def expression_after(path, line, column):
    """What comes from there on, up to the end of the statement or to what an `if` decides."""
    text = "\n".join(text_of(path, number) for number in range(line, line + 20))[column - 1:]
    quoted = r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*.*?\*/'
    text = re.sub(quoted, lambda match: " " + "\n" * match.group().count("\n"), text, flags=re.DOTALL)
    return re.split(r"[;{}]|\)\s*\w", text)[0].rstrip()


def decided_at(path, line, column):
    """Where gcov may count a branch. Of an expression with `&&`, `||` or `?:` that goes over several lines gcc counts the parts
    at any of them (`?:` at either value, and where it begins only once the value is there); clang puts a branch at its operator
    or its condition. So such an expression is one: of its lines one that was executed, if there is any."""
    file = os.path.basename(path)
    rest = expression_after(path, line, column)
    # A conditional's condition ends before an assignment does.
    if not rest.startswith(("&&", "||")) and "?" not in re.split(r"(?<![=!<>])=(?!=)", rest)[0]:
        return file, line
    first, last = line, line + rest.count("\n")
    while first > 1 and not re.search(r"[;{}]\s*(/\*.*)?$", text_of(path, first - 1)):
        first -= 1
    numbers = [*range(line, first - 1, -1), *range(line + 1, last + 1)]
    places = [(file, number) for number in numbers if (file, number) in lines]
    return next((place for place in places if place in executed), places[0] if places else (file, line))


session = sqlite3.connect(os.path.join(folder, "session", "session.db"))
branches = session.execute("SELECT file, line, col FROM branches WHERE case_id IS NOT NULL").fetchall()
taken = {decided_at(*branch) for branch in branches if counted(branch[0])} & lines
agree = len(taken & executed)
# What gcov did not see executed, to be looked at: FILE:LINE each.
with open(os.path.join(folder, "disagree.txt"), "w") as listing:
    listing.writelines(f"{path}:{line}\n" for path, line in sorted(taken - executed))
lost = sum(1 for reason in summary["reasons"] if reason["what"].startswith("input flows into "))
rate = summary["runs"] * 1000 // max(summary["time_ms"], 1)


def share(part, whole):
    return f"{part}/{whole} {100 * part / whole if whole else 0:.1f}%"


print(
    f"{name:<18} {summary['runs']:>7} {rate:>7} {share(covered, total):>16} {share(len(executed), len(lines)):>16} "
    f"{agree}/{len(taken):<6} {lost:>5} {len(summary['errors']):>6}"
)
