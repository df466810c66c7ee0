"""Drives lists of Qt from the batch driver, in a process of their own, and prints what Qt found.

    widgets.py PROGRAM [SEED]

Right runs must leave nothing to report; each planted error must be reported by Qt. SEED repeats a run.
"""

import concurrent.futures
import json
import os
import random
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Form, source, updates, rows: ten thousand updates of short lists, and a thousand of long ones.
RIGHT = [
    (form, source, rounds, rows) for form in ("flat", "tree") for source in ("store", "arranged")
    for rounds, rows in ((2_450, 24), (250, 300))]
FAULTS = ["wrongOrder", "moveOffByOne", "swappedTooEarly", "lostUpdate", "wrongCount", "untoldEdit"]
CELLS = ("created", "discarded", "pooled", "reused", "configured")
PATIENCE = 240


def figures_of(names, number):
    return ", ".join(f"{number(name)} {name}" for name in names)


def host(program, form, source, rounds, rows, seed, *fault):
    result = subprocess.run(
        [sys.executable, os.path.join(FOLDER, "host.py"), program, form, source, str(rounds), str(seed), str(rows), *fault],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    lines = result.stdout.splitlines()
    if fault and result.returncode < 0:
        # Qt crashed of the planted error; it may have said why before.
        return {"reports": {"messages": said} if (said := result.stderr.count("Qt:")) else {}, "crash": result.returncode}
    if result.returncode or not lines:
        return {"crash": f"ended with {result.returncode}: {result.stderr[-400:]}"}
    return json.loads(lines[-1])


def planted(program, form, fault, seed):
    """A run with a planted error. One in a hundred crashes Qt before it can say a word: then the next seeds are tried."""
    for attempt in range(3):
        result = host(program, form, "store", 300, 24, seed + attempt, fault)
        if result.get("reports"):
            break
    return result


def check_right(name, result):
    """What is wrong with a run that must have no fault, if anything is."""
    if "crash" in result:
        return f"{name}: {result['crash']}"
    if result["reports"] or result["code"]:
        return f"{name}: Qt reports {result['reports']}, the program ended with {result['code']}:\n" + "\n".join(result["texts"])
    if result["done"] is None or not result["done"][-1]:
        return f"{name}: the view has not shown the last list"
    # One update in fifty finds the view out of its window, and the first loads it. Reloads would hide what batches do wrong.
    rounds, _, reloads, performed, _ = result["done"]
    if rounds > 500 and performed < rounds / 10:
        return f"{name}: {performed} edits were performed in the view"
    if reloads > rounds / 20 + 5:
        return f"{name}: {reloads} reloads in {rounds} updates"
    return None


def main(program, seed):
    print(f"widgets: seed {seed}")
    failures, totals = [], {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        right = {job: pool.submit(host, program, *job, seed) for job in RIGHT}
        wrong = {
            (form, fault): pool.submit(planted, program, form, fault, seed)
            for fault in FAULTS for form in ("flat", "tree")}
        compared = pool.submit(host, program, "flat", "compared", 1_000, 300, 1)
        for job, run in right.items():
            result = run.result()
            if (failure := check_right(" ".join(map(str, job)), result)):
                failures.append(failure)
                continue
            rounds, batches, reloads, performed, _ = result["done"]
            figures = {
                "updates": rounds, "batches": batches, "reloads": reloads, "edits performed in the view": performed, "steps": result["steps"],
                "persistent indexes followed": result["followed"]}
            if result["quick"]:
                figures |= {"delegates of rows that stayed": result["quick"]["stayed"]}
            for figure, number in figures.items():
                totals[figure] = totals.get(figure, 0) + number
        print("widgets: no fault in " + ", ".join(f"{number} {figure}" for figure, number in totals.items()))
        for (form, fault), run in wrong.items():
            result = run.result()
            voices = result.get("reports", {})
            found = ", ".join(f"{voice} {count}" for voice, count in voices.items())
            print(f"widgets: {fault} ({form}): {found or result}")
            if not voices:
                failures.append(f"Qt does not report {fault} ({form})")
        result = compared.result()
        if result.get("reports") or not result.get("done"):
            failures.append(f"the compared run: {result}")
        else:
            print("widgets: of one run, Qt Quick: " + figures_of(("created", "destroyed", "pooled", "reused"), result["quick"].get))
            for cap, row in ((5, result["done"][:5]), (12, result["done"][5:])):
                numbers = dict(zip(CELLS, row))
                print(f"widgets: of the same run, RetainedTable with a pool of {cap}: " + figures_of(CELLS, numbers.get))
    for failure in failures:
        print(failure, file=sys.stderr)
    return not failures


if __name__ == "__main__":
    chosen = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    sys.exit(0 if main(sys.argv[1], chosen) else 1)
