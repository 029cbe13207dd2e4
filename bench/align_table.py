#!/usr/bin/env python3
"""align_table.py WORK - prints what bench/align.sh measured: our bars, our figures, the peers' figures of the same run."""
import json, re, sys
from pathlib import Path

work = Path(sys.argv[1])
docs, quotes = (json.loads((work / n).read_text()) for n in ("docs.json", "quotes.json"))
small, listed, one, two = ((work / n).read_text() for n in ("small.log", "list.log", "threads1.log", "threads2.log"))
peers = {n: json.loads((work / f"{n}.json").read_text()) for n in ("rapidfuzz", "edlib")}


def number(text, pattern):
    return float(re.search(pattern, text).group(1))


def kind(name):
    return docs["groups"][name][2]


rate = r"match .*?, ([\d.]+) MB per CPU s"
threads = number(one, r"match .* wall ([\d.]+) s") / number(two, r"match .* wall ([\d.]+) s")
rows = [  # what, bar, ours, whether the bar is reached, peers
    ("documents: F1", ".985", docs["f1"], docs["f1"] >= .985, ""),
    ("documents: plagdet", ".982", docs["plagdet"], docs["plagdet"] >= .982, ""),
    ("documents: granularity", "1.005", docs["granularity"], docs["granularity"] <= 1.005, ""),
    ("precision", ".98", docs["precision"], docs["precision"] >= .98, ""),
    ("case recall, 6-9 words", ".88", kind("words 006-009"), kind("words 006-009") >= .88, ""),
    ("case recall, ellipsis", ".99", kind("kind ellipsis"), kind("kind ellipsis") >= .99, ""),
    ("case recall, bracket", ".98", kind("kind bracket"), kind("kind bracket") >= .98, ""),
    ("case recall, wordsub", ".96", kind("kind wordsub"), kind("kind wordsub") >= .96, ""),
    ("case recall, ocr10", ".96", kind("kind ocr10"), kind("kind ocr10") >= .96, ""),
    ("ends: median error, characters", "0", docs["boundary_derived_median"], docs["boundary_derived_median"] <= 0, ""),
    ("ends: mean error", "0.8", docs["boundary_derived_mean"], docs["boundary_derived_mean"] <= .8, ""),
    ("ends: within 3", ".97", docs["within3"], docs["within3"] >= .97, ""),
    ("decoys hit", "2", sum(docs["decoy_hits"].values()), sum(docs["decoy_hits"].values()) <= 2, ""),
    ("throughput, MB per CPU s", "20", number(one, rate), number(one, rate) >= 20, ""),
    ("two threads over one", "1.8", threads, threads >= 1.8, ""),
    ("index build, MB per CPU s", "50", number(small, r"build .*?, ([\d.]+) MB per CPU s"), number(small, r"build .*?, ([\d.]+) MB per CPU s") >= 50, ""),
    ("index, times the text", "1.5", number(small, r"index ([\d.]+) times"), number(small, r"index ([\d.]+) times") <= 1.5, ""),
    ("quote list: recall@1", ".985", quotes["recall_at_1"], quotes["recall_at_1"] >= .985, "RapidFuzz %.2f, edlib %.2f" % (peers["rapidfuzz"]["recall"], peers["edlib"]["recall"])),
    ("quote list: precision", ".995", quotes["precision"], quotes["precision"] >= .995, ""),
    ("quote list: within 3", ".97", quotes["within3"], quotes["within3"] >= .97, ""),
    ("ms per quote, 1,000 quotes", "2", number(small, r"look for .*?([\d.]+) ms per quote"), number(small, r"look for .*?([\d.]+) ms per quote") < 2,
     "RapidFuzz %.0f, edlib %.0f" % (peers["rapidfuzz"]["ms"], peers["edlib"]["ms"])),
    ("ms per quote, 10,000 quotes", "0.5", number(listed, r"look for .*?([\d.]+) ms per quote"), number(listed, r"look for .*?([\d.]+) ms per quote") < .5, ""),
]
print("| | bar | ours | | peers, same run |\n|---|---|---|---|---|")
for what, bar, ours, ok, peer in rows:
    print(f"| {what} | {bar} | {ours:.4g} | {'reached' if ok else 'missed'} | {peer} |")
print("\n" + (work / "similarity.txt").read_text().strip())
print("yardstick: folding at %.0f MB per CPU s; peak memory %.0f MB" % (number(small, r"fold .*?, ([\d.]+) MB per CPU s"), number(small, r"peak memory (\d+)")))

# Measured once on another set of the same generator (18 books, 11.6 MB; 200 documents, 5.1 MB; one thread), because no package
# index has these programs: precision, recall, F1, granularity, plagdet, ends (mean / median), MB per CPU second, peak MB.
ELSEWHERE = [
    ("passim 2.0.1, defaults", ".817 | .674 | .738 | 1.01 | .731 | 47 / 18 | .028 | 3,546"),
    ("passim 2.0.1, -n 15 -m 3 -a 30", ".765 | .857 | .808 | 1.02 | .794 | 49 / 22 | .012 | 3,209"),
    ("TextPAIR 2.3, defaults", ".821 | .876 | .848 | 2.59 | .459 | 5.2 / .5 | .035 (matching alone .52) | 2,200"),
    ("TextPAIR 2.3, tuned on the set", ".977 | .866 | .918 | 1.55 | .679 | 5.0 / 0 | |"),
    ("blastp, identity matrix, e <= 1e-22", ".889 | .911 | .900 | 1.16 | .811 | 2.5 / .5 | .024 | 807"),
    ("text-matcher 0.1.6, defaults", ".999 | .444 | .615 | 1.08 | .581 | 29 / 6.5 | .020 | 379"),
]


def measured(name, score, cpu, mb, peak):
    s = "%.3f | %.3f | %.3f | %.2f | %.3f | %.1f / %.1f" % tuple(
        score[k] for k in ("precision", "recall", "f1", "granularity", "plagdet", "boundary_derived_mean", "boundary_derived_median"))
    print(f"| {name} | {s} | {mb / cpu:.3g} | {peak:,.0f} |")


log = (work / "docs.log").read_text()
spent = sum(float(s) for s in re.findall(r"(?:count|build|open|match) ?.*?: ([\d.]+) CPU s", log))
print("\nDocuments against books. CPU covers the sources, too.\n\n| | P | R | F1 | granularity | plagdet | ends: mean / median error | MB per CPU s | peak MB |\n|---|" + "---:|" * 8)
measured("ours", docs, spent, number(log, r"match \d+ documents, ([\d.]+) MB"), number(log, r"peak memory (\d+)"))
for peer in ("text-matcher", "blastp"):
    p = json.loads((work / f"{peer}.json").read_text())
    if "missing" in p:
        print(f"| {peer}: {p['missing']} |" + " |" * 8)
    else:
        measured(p["peer"], json.loads((work / f"{peer}.score.json").read_text()), p["cpu"], p["mb"], p["peak_mb"])
for name, figures in ELSEWHERE:
    print(f"| elsewhere: {name} | {figures} |")
