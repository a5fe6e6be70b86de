#!/usr/bin/env python3
"""hub.py [TINE]: workers of a hub against --jobs on one machine; `make bench-hub` calls it. Needs nats-server.

Three tables on standard output:
  two    two workers of one job each against `--jobs 2`, on units with runs of different lengths and on programs
  scale  workers that wait 20 ms for each result, 1 to 64 of them, and with a delay of messages of 0, 1 and 10 ms
  cost   processor time of the selector for each result

PARTS ("two scale cost") selects. RUNS (3) is the number of repetitions, of which the median counts. WORKERS ("1 2 4 8 16 32
64") and DELAYS ("0 1 10", in ms) are those of `scale`. RESULTS=DIR also writes DIR/DATE-hub.json. Prints the load, because
two workers need two idle cores.
"""

import asyncio
import datetime
import json
import os
import pathlib
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TINE = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/tine").resolve())
WAITING = str(pathlib.Path(TINE).parent / "examples/waiting_workers")
RUNS = int(os.environ.get("RUNS", "3"))

# N decisions, and a loop of LENGTH rounds in each run.
BITS = """
int f(unsigned x) {
    int n = 0;
    for (volatile int i = 0; i < LENGTH; i++)
        ;
    for (int i = 0; i < N; i++)
        if (x >> i & 1)
            n++;
    return n;
}
"""

def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Proxy:
    """Forwards connections, and delays what it forwards."""

    def __init__(self, port, delay):
        self.port, self.to, self.delay = free_port(), port, delay
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve(ready)), daemon=True).start()
        ready.wait()

    async def serve(self, ready):
        server = await asyncio.start_server(self.forward, "127.0.0.1", self.port)
        ready.set()
        await server.serve_forever()

    async def forward(self, reader, writer):
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self.to)
        await asyncio.gather(self.copy(reader, to_writer), self.copy(to_reader, writer), return_exceptions=True)

    async def copy(self, reader, writer):
        waiting = asyncio.Queue()

        async def send():
            while (item := await waiting.get()) is not None:
                due, data = item
                await asyncio.sleep(max(0, due - time.monotonic()))
                writer.write(data)
                await writer.drain()
            writer.close()

        sending = asyncio.create_task(send())
        while data := await reader.read(1 << 16):
            waiting.put_nowait((time.monotonic() + self.delay, data))
        waiting.put_nowait(None)
        await sending


class Hub:
    def __init__(self, folder):
        self.port = free_port()
        self.process = subprocess.Popen([TINE, "hub", "--listen", f"127.0.0.1:{self.port}", "--data", str(folder / "hub")],
                                        stdout=subprocess.PIPE, text=True)
        assert "ready" in self.process.stdout.readline(), "the hub does not start"
        self.login = (folder / "hub/login").read_text().strip()

    def url(self, port=None):
        return f"nats://{self.login}@127.0.0.1:{port or self.port}"

    def workers(self, n, port=None, wait=None):
        """Workers of one job each, or a process of N workers that wait for each result."""
        commands = [[TINE, "work", self.url(port), "--jobs", "1"]] * n if wait is None else [[WAITING, self.url(port), str(n), str(wait)]]
        made = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for command in commands]
        while True:
            state = json.loads(subprocess.run([TINE, "hub", "status", self.url(), "--json"], capture_output=True, check=True).stdout)
            if len(state["workers"]) == n:
                return made

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def end(workers):
    for one in workers:
        one.send_signal(signal.SIGTERM)
    for one in workers:
        one.wait()


def explore(folder, words, *flags):
    """The summary, and the processor time of tine itself without its units, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([TINE, *words, *flags, "--json", "--quiet", "--max-time", "none", "--out", str(folder / "out")],
                         cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["rm", "-rf", str(folder / "out")], check=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"hub.py: {words}: {ran.stderr}")
    summary = json.loads(ran.stdout)
    return summary, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rate(summary):
    """Results per second: runs and infeasible sides."""
    return (summary["runs"] + summary.get("infeasible", 0)) / max(summary["time_ms"], 1) * 1000


def two(folder, hub):
    subjects = []
    for name, length, n in [("runs of 10 us", 10, 15), ("runs of 100 us", 6000, 13), ("runs of 1 ms", 70000, 10)]:
        file = folder / f"bits{length}.c"
        file.write_text(BITS.replace("LENGTH", str(length)).replace("N;", f"{n};"))
        subjects.append((name, ["test", str(file), "--fn", "f"]))
    for name, flags in [("examples/calculator.c", ["--depth", "10"]), ("examples/state_machine.c", []),
                        ("tests/units/programs/regexp.c", [])]:
        subjects.append((pathlib.Path(name).stem, ["run", str(ROOT / name), *flags]))
    workers = hub.workers(2)
    print(f"{'subject':<20}{'--jobs 2':>12}{'two workers':>14}{'share':>8}")
    rows = []
    for name, words in subjects:
        own, others = [], []
        for _ in range(RUNS):
            own.append(rate(explore(folder, words, "--jobs", "2")[0]))
            others.append(rate(explore(folder, words, "--hub", hub.url())[0]))
        one, other = statistics.median(own), statistics.median(others)
        rows.append([name, f"{one:,.0f}/s", f"{other:,.0f}/s", f"{other / one:.2f}"])
        print(f"{name:<20}{one:>10,.0f}/s{other:>12,.0f}/s{other / one:>8.2f}", flush=True)
    end(workers)
    return rows


def scale(folder, hub):
    file = folder / "bits.c"
    file.write_text(BITS.replace("LENGTH", "1").replace("N;", "14;"))
    print(f"{'delay':<8}{'workers':>8}{'runs/s':>10}{'efficiency':>12}")
    rows = []
    for delay in os.environ.get("DELAYS", "0 1 10").split():
        port = Proxy(hub.port, float(delay) / 1000).port if float(delay) else None
        single = None
        for n in map(int, os.environ.get("WORKERS", "1 2 4 8 16 32 64").split()):
            workers = hub.workers(n, port, 20)
            runs = str(min(4000, 40 + 60 * n))
            found = statistics.median(rate(explore(folder, ["test", str(file), "--fn", "f"], "--hub", hub.url(port), "--max-runs", runs)[0])
                                      for _ in range(RUNS))
            end(workers)
            single = single or found / n
            rows.append([f"{n} workers, delay {delay} ms", "", f"{found:,.0f}/s", f"{found / n / single:.2f}"])
            print(f"{delay + ' ms':<8}{n:>8}{found:>10,.0f}{found / n / single:>12.2f}", flush=True)
    return rows


def cost(folder, hub):
    file = folder / "bits.c"
    file.write_text(BITS.replace("LENGTH", "10").replace("N;", "16;"))
    words = ["test", str(file), "--fn", "f", "--hub", hub.url()]
    workers = hub.workers(2)
    found = []
    for _ in range(RUNS):
        # The difference of two explorations leaves building and starting out.
        summary, time_long = explore(folder, words)
        short, time_short = explore(folder, words, "--max-runs", "1000")
        found.append((time_long - time_short) / (summary["runs"] - short["runs"]) * 1e6)
    end(workers)
    print(f"selector: {statistics.median(found):.0f} us of processor time for a run")
    return [["selector's time for a run", "", f"{statistics.median(found):.0f} us", ""]]


def main():
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"load before: {load}")
    rows = []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        hub = Hub(folder)
        try:
            for part in os.environ.get("PARTS", "two scale cost").split():
                rows += {"two": two, "scale": scale, "cost": cost}[part](folder, hub)
        finally:
            hub.end()
    if os.environ.get("RESULTS"):
        today = datetime.date.today().isoformat()
        system = {"cpu": os.environ.get("CPU", "?"), "cores": os.cpu_count(),
                  "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
                  "system": f"Linux {os.uname().release}", "clang": "22", "rustc": "1.95"}
        commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        result = {"schema": 1, "name": "hub", "title": "Workers of a hub", "date": today, "commit": commit.stdout.strip(),
                  "machine": system, "command": "make bench-hub",
                  "note": f"Two workers against `--jobs 2`, and efficiency of workers that wait 20 ms for each result. Load before: {load}.",
                  "columns": ["subject", "--jobs 2", "workers", "share or efficiency"], "rows": rows}
        (pathlib.Path(os.environ["RESULTS"]) / f"{today}-hub.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
