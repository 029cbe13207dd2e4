"""Draws log.jsonl: the loss, and the metric of each epoch."""

import json


def curve(out):
    rows = [json.loads(line) for line in (out / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    metric = next((k for r in rows for k in r if k not in ("seconds", "epoch", "step", "of", "loss", "event")), None)
    lines = [("loss", "#888", [(r["step"], r["loss"]) for r in rows if "loss" in r])]
    if metric:
        lines.append((metric, "#06c", [(r["step"], r[metric]) for r in rows if metric in r]))
    last = max([x for _, _, points in lines for x, _ in points] or [1])
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" font-family="sans-serif" font-size="12">']
    for i, (name, colour, points) in enumerate(lines):
        if not points:
            continue
        low, high = min(y for _, y in points), max(y for _, y in points)
        at = lambda x, y: f"{40 + 560 * x / last:.1f},{270 - 220 * (y - low) / ((high - low) or 1):.1f}"
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(at(x, y) for x, y in points)}"/>')
        parts.append(f'<text x="40" y="{18 + 16 * i}" fill="{colour}">{name}: {points[0][1]:.4g} at step {points[0][0]}, {points[-1][1]:.4g} at step {points[-1][0]} (from {low:.4g} to {high:.4g})</text>')
    (out / "curve.svg").write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
