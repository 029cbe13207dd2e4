"use strict";
(() => {
  const { docs, fields, pairs, parts, clusters, left, likely, texts, piece } = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("view");
  const atOnce = 200;

  // Texts of books enter the page here and nowhere else: as text, never as HTML.
  const make = (tag, name, ...children) => {
    const e = document.createElement(tag);
    if (name) e.className = name;
    e.append(...children);
    return e;
  };
  const draw = (tag, attributes, ...children) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  };
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const count = (n, one) => n === 1 ? "1 " + one : whole(n) + " " + one + (one.endsWith("s") || one.endsWith("ch") ? "es" : "s");
  const fold = (s) => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const byId = new Map(docs.map((d, i) => [d.id, i]));
  const yearOf = (d) => d.y ?? null; // the first that its date can mean; 0 is 1 BC
  const yearName = (y) => y > 0 ? String(y) : 1 - y + " BC";
  const decadeName = (y) => y > 0 ? Math.floor(y / 10) * 10 + "s" : Math.floor((1 - y) / 10) * 10 + "s BC";
  const byDate = (a, b) => (a.y ?? Infinity) - (b.y ?? Infinity) || ((a.d || "~") < (b.d || "~") ? -1 : 1);
  const named = (d) => [d.a, d.t, d.d].filter(Boolean).join(", ");
  const address = (route, values) => "#" + route + "?" + new URLSearchParams(values);
  const anchor = (to, text, name = "") => { const a = make("a", name, text); a.href = to; return a; };
  const ofBook = (i) => address("book", { id: docs[i].id });
  const ofPair = (s, t) => address("pair", { source: docs[s].id, target: docs[t].id });
  const ofTexts = (s, t, at) => address("texts", { source: docs[s].id, target: docs[t].id, ...(at && { at }) });
  const ofMatch = (m) => address("match", { source: docs[m.s].id, target: docs[m.t].id, at: m.x[0] + "-" + m.y[0] });

  // Matches come in parts, each a script beside the page, which a page that is opened
  // from a file may load. A page of a server runs none: when the server has ended, the port
  // may be another's, whose words are no scripts here.
  const loaded = new Map(), pieces = new Map(), pieceName = (id, k) => k + " " + id;
  const takers = new Map([["commonplaceReuse", (part, matches) => loaded.set(part, matches)], ["commonplaceText", (id, k, text) => pieces.set(pieceName(id, k), text)]]);
  const fromFile = location.protocol === "file:";
  for (const [name, take] of takers) window[name] = take;
  const loadFrom = async (from) => {
    if (fromFile) return new Promise((done, failed) => {
      const script = make("script");
      script.src = from;
      script.onload = () => { script.remove(); done(); };
      script.onerror = () => { script.remove(); failed(new Error(from + (texts ? " cannot be loaded" : " is not beside the page"))); };
      document.head.append(script);
    });
    try {
      const [, name, list] = /^(\w+)\((.*)\)\n$/s.exec(await (await fetch(from)).text());
      takers.get(name)(...JSON.parse("[" + list + "]"));
    } catch {
      throw new Error(from + " cannot be loaded");
    }
  };
  const loading = new Map(); // by part, so that two who ask for one at the same time load it once
  const load = async (part) => {
    if (!loaded.has(part)) {
      if (!loading.has(part)) loading.set(part, loadFrom(parts[part]).finally(() => loading.delete(part)));
      await loading.get(part);
    }
    return loaded.get(part);
  };
  const matchesOf = async (source) => {
    const d = docs[source], of = await Promise.all(Array.from({ length: d.p < 0 ? 0 : d.q - d.p }, (_, i) => load(d.p + i)));
    return of.flatMap((part) => part.filter((m) => m.s === source));
  };

  // Whole texts come in pieces, in the same way.
  const hasText = (d) => !d.r && Boolean(texts || d.x);
  const textOf = async (d) => {
    const names = Array.from({ length: d.x ? d.x.length : Math.max(1, Math.ceil(d.n / piece)) }, (_, k) => pieceName(d.id, k));
    await Promise.all(names.map((name, k) => pieces.has(name) || loadFrom(d.x ? d.x[k] : texts + "?" + new URLSearchParams({ id: d.id, piece: k }))));
    return names.map((name) => pieces.get(name)).join("");
  };

  // Who is quoted by whom, in numbers.
  const quoted = docs.map(() => 0), quotes = docs.map(() => 0);
  const byOf = docs.map(() => []), fromOf = docs.map(() => []);
  for (const p of pairs) { quoted[p[0]] += p[2]; quotes[p[1]] += p[2]; byOf[p[0]].push(p); fromOf[p[1]].push(p); }

  const facets = new Map([["author", (d) => d.a], ["decade", (d) => { const y = yearOf(d); return y === null ? "" : decadeName(y); }],
    ...fields.map((name, i) => [name, (d) => d.f[i]])]);

  const table = (heads, rows, name) => {
    const body = make("tbody", "");
    for (const row of rows) body.append(make("tr", "", ...row.map((c, i) => make("td", typeof c === "number" ? "n" : "", typeof c === "number" ? whole(c) : c))));
    const numbers = rows.length ? rows[0].map((c) => typeof c === "number") : [];
    const head = make("tr", "", ...heads.map((h, i) => { const c = make("th", numbers[i] ? "n" : "", h); c.scope = "col"; return c; }));
    const t = make("table", "list", make("caption", "place", name), make("thead", "", head), body);
    return t;
  };
  const select = (label, values, value, change) => {
    const s = make("select", "");
    for (const v of values) { const o = make("option", "", v || "all"); o.value = v; s.append(o); }
    s.value = value;
    s.onchange = () => change(s.value);
    return make("label", "", label, s);
  };
  const section = (title, lead, ...children) => make("section", "", make("h2", "", title), make("p", "lead", lead), ...children);

  // A drawing that a narrow screen shows in part, so that its names can be read.
  const wide = (svg) => {
    const box = make("div", "wide-chart", svg);
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", svg.getAttribute("aria-label"));
    return box;
  };

  // The documents, by a field and its value.
  const documents = (q) => {
    const by = facets.has(q.get("by")) ? q.get("by") : "author", value = q.get("is") ?? "", of = facets.get(by);
    const tally = new Map();
    docs.forEach((d, i) => { const v = of(d) || "unknown"; tally.set(v, (tally.get(v) ?? 0) + quoted[i]); });
    const values = [...tally].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map((v) => v[0]);
    const rows = docs.map((d, i) => i).filter((i) => !value || (of(docs[i]) || "unknown") === value)
      .sort((a, b) => quoted[b] - quoted[a] || quotes[b] - quotes[a] || a - b);
    return section("Documents", "Those most quoted first. Choose a field to see one author, one decade, or what else the documents say of themselves.",
      make("div", "filters",
        select("Field", [...facets.keys()], by, (v) => { location.hash = address("documents", { by: v }); }),
        select("Value", ["", ...values.slice(0, 500)], value, (v) => { location.hash = address("documents", { by, is: v }); })),
      make("p", "status", count(rows.length, "document") + (rows.length > atOnce ? ", the first " + atOnce + " are shown" : "")),
      table(["document", "quoted", "by documents", "quotes", "of documents"], rows.slice(0, atOnce).map((i) => [anchor(ofBook(i), named(docs[i])), quoted[i], byOf[i].length, quotes[i], fromOf[i].length]), "Documents and their matches"));
  };

  // Bars over years.
  const bars = (tally, label, name = String, link) => {
    const years = [...tally.keys()].sort((a, b) => a - b);
    if (!years.length) return make("p", "", "No document has a date.");
    const span = years.at(-1) - years[0], step = span > 300 ? 50 : span > 40 ? 10 : 1;
    const bins = new Map();
    for (const [y, n] of tally) { const b = Math.floor(y / step) * step; bins.set(b, (bins.get(b) ?? 0) + n); }
    const first = Math.min(...bins.keys()), n = (Math.max(...bins.keys()) - first) / step + 1, most = Math.max(...bins.values());
    const svg = draw("svg", { class: "chart", viewBox: "0 0 1000 220", role: "img", "aria-label": label });
    for (const [b, c] of bins) {
      const w = 960 / n, h = 170 * c / most, bar = draw("rect", { class: "bar", x: 20 + (b - first) / step * w, y: 190 - h, width: Math.max(1, w - 1), height: h }, draw("title", {}, (step > 1 ? name(b) + "–" + name(b + step - 1) : name(b)) + ": " + whole(c)));
      const a = link && link(b, step);
      svg.append(a ? draw("a", { href: a }, bar) : bar);
    }
    for (let k = 0; k < n; k += Math.ceil(n / 12)) svg.append(draw("text", { x: 20 + k * 960 / n, y: 208 }, name(first + k * step)));
    return wide(svg);
  };
  const add = (m, k, n) => k === null || m.set(k, (m.get(k) ?? 0) + n);
  const time = () => {
    const targets = new Map(), sources = new Map(), gap = new Map();
    for (const [s, t, n] of pairs) {
      const a = yearOf(docs[s]), b = yearOf(docs[t]);
      add(targets, b, n); add(sources, a, n);
      if (a !== null && b !== null) add(gap, b - a, n);
    }
    if (!targets.size && !sources.size) return section("Over time", "No document has a date. Give the documents dates to see matches by their years.");
    return section("Over time", "Matches by the year of the document that quotes, of the one that is quoted, and by the years between.",
      make("h3", "", "When it was quoted"), bars(targets, "matches by the year of the document that quotes", yearName),
      make("h3", "", "How old what is quoted is"), bars(sources, "matches by the year of the document that is quoted", yearName),
      make("h3", "", "Years between"), bars(gap, "matches by the years between both"));
  };

  // A circle of the documents or authors with most matches.
  const network = (q) => {
    const by = facets.has(q.get("by")) ? q.get("by") : "", of = by ? facets.get(by) : (d) => d.id, sums = new Map(), edges = new Map();
    for (const [s, t, n] of pairs) {
      const a = of(docs[s]), b = of(docs[t]);
      if (!a || !b || a === b) continue;
      add(sums, a, n); add(sums, b, n);
      const key = JSON.stringify([a, b]);
      edges.set(key, (edges.get(key) ?? 0) + n);
    }
    const names = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 40).map((n) => n[0]).sort();
    const at = new Map(names.map((n, i) => [n, [500 + 240 * Math.sin(2 * Math.PI * i / names.length), 430 - 240 * Math.cos(2 * Math.PI * i / names.length), 360 * i / names.length - 90]]));
    const kept = [...edges].map(([k, n]) => [...JSON.parse(k), n]).filter(([a, b]) => at.has(a) && at.has(b)).sort((a, b) => b[2] - a[2]).slice(0, 400);
    const most = Math.max(1, ...kept.map((e) => e[2]));
    const svg = draw("svg", { class: "chart", viewBox: "0 0 1000 860", role: "img", "aria-label": "who quotes whom; the table below has the same" });
    for (const [a, b, n] of kept) {
      const [x, y] = at.get(a), [u, v] = at.get(b);
      svg.append(draw("path", { class: "edge", d: `M${x} ${y}Q500 430 ${u} ${v}`, "stroke-width": 1 + 7 * Math.sqrt(n / most) }, draw("title", {}, b + " quotes " + a + ": " + whole(n))));
    }
    const short = (s) => s.length > 26 ? s.slice(0, 25) + "…" : s;
    const shown = (n) => { const d = by ? null : docs[byId.get(n)]; return d ? [d.t || d.a, d.d].filter(Boolean).join(" ") : n; };
    for (const [n, [x, y, turned]] of at) { // names stand like spokes, and on the left are read from the outside
      const right = turned < 90;
      svg.append(draw("circle", { class: "dot", cx: x, cy: y, r: 5 }, draw("title", {}, by ? n : named(docs[byId.get(n)]))),
        draw("text", { x: x + (right ? 9 : -9), y: y + 4, transform: `rotate(${right ? turned : turned - 180} ${x} ${y})`, "text-anchor": right ? "start" : "end" }, short(shown(n))));
    }
    return section("Who quotes whom", "The 40 with most matches; a thicker line has more of them. The table has the pairs.",
      make("div", "filters", select("Draw", ["documents", ...facets.keys()], by || "documents", (v) => { location.hash = address("network", v === "documents" ? {} : { by: v }); })),
      names.length ? wide(svg) : make("p", "", "No two of them are matched."),
      by ? table(["quoted", "by", "matches"], kept.slice(0, atOnce).map(([a, b, n]) => [a, b, n]), "Pairs with most matches")
        : table(["quoted", "by", "matches", "words"], [...pairs].sort((a, b) => b[2] - a[2]).slice(0, atOnce).map(([s, t, n, w]) => [anchor(ofBook(s), named(docs[s])), anchor(ofPair(s, t), named(docs[t])), n, w]), "Pairs with most matches"));
  };

  // Two texts word by word, what only one has marked.
  const differ = (a, b) => {
    const x = a.split(/(\s+)/), y = b.split(/(\s+)/), words = (l) => l.filter((_, i) => i % 2 === 0).slice(0, 400).map((w) => fold(w).replace(/[^\p{L}\p{N}]/gu, ""));
    const p = words(x), q = words(y), w = q.length + 1, cost = new Int32Array((p.length + 1) * w);
    for (let i = p.length - 1; i >= 0; i--) for (let j = q.length - 1; j >= 0; j--)
      cost[i * w + j] = p[i] === q[j] ? cost[(i + 1) * w + j + 1] + 1 : Math.max(cost[(i + 1) * w + j], cost[i * w + j + 1]);
    const inA = new Set(), inB = new Set();
    for (let i = 0, j = 0; i < p.length && j < q.length;)
      if (p[i] === q[j]) { inA.add(i++); inB.add(j++); } else if (cost[(i + 1) * w + j] >= cost[i * w + j + 1]) i++; else j++;
    const side = (list, same, n, name) => list.map((s, i) => i % 2 || same.has(i / 2) || i / 2 >= n || !s ? s : make(name === "mark" ? "mark" : "span", name === "mark" ? "" : name, s));
    return [side(x, inA, p.length, "mark"), side(y, inB, q.length, "only")];
  };
  const where = (d, span, page, image) => named(d) + (page ? ", p. " + page : "") + (image ? ", image " + image : "") + ", " + span[0] + "–" + span[1];
  const quotedAt = (m) => where(docs[m.s], m.x, m.k, m.b), quotesAt = (m) => where(docs[m.t], m.y, m.l, m.c);
  const cite = (m) => (m.u ? "“" + m.u.replace(/\s+/g, " ").trim() + "” " : "") + quotedAt(m) + " [" + docs[m.s].id + "]; also in " + quotesAt(m) + " [" + docs[m.t].id + "].";
  const both = new Set(pairs.map((p) => p[0] + " " + p[1]));
  const direction = (m) => m.n === 2 ? " · the right one is the older" : !m.n && both.has(m.t + " " + m.s) ? " · each has the words of the other; no date says which came first" : "";
  const card = (m, chosen) => {
    const [a, b] = differ(m.u, m.v);
    const text = make("textarea", "");
    text.readOnly = true; text.rows = 3; text.value = cite(m); text.setAttribute("aria-label", "citation");
    text.onfocus = () => text.select();
    return make("article", "pair" + (chosen ? " chosen" : ""),
      make("div", "sides",
        make("div", "", make("h3", "", quotedAt(m)), make("p", "", ...withheld(m.s, m.t) ? ["The words are not shown."] : a)),
        make("div", "", make("h3", "", quotesAt(m)), make("p", "", ...b))),
      make("p", "place", Math.round(100 * m.i) + " % equal, " + count(m.w, "word") + (m.f ? ", in other word forms" : "") + direction(m) + " · ", anchor(ofMatch(m), "link to this match"), " · ", anchor(ofPair(m.s, m.t), "all of these two"),
        ...bothTexts(m.s, m.t) ? [" · ", anchor(ofTexts(m.s, m.t, m.x[0] + "-" + m.y[0]), "in both texts")] : []),
      make("details", "", make("summary", "", "Cite"), text));
  };
  const withheld = (s, t) => [s, t].find((i) => docs[i].r) !== undefined;
  const bothTexts = (s, t) => hasText(docs[s]) && hasText(docs[t]);
  const cards = (list) => {
    const box = make("div", ""), more = make("button", "");
    let shown = 0;
    const grow = () => {
      more.before(...list.slice(shown, shown + 20).map((m) => card(m)));
      shown = Math.min(list.length, shown + 20);
      more.hidden = shown >= list.length;
      more.textContent = "Show more of " + whole(list.length - shown);
    };
    more.onclick = grow;
    box.append(more);
    grow();
    return box;
  };

  // A book: who quotes it where, over its length and over time.
  const map = (d, list, of, label) => {
    const years = list.map((m) => yearOf(docs[of(m)])).filter((y) => y !== null), low = Math.min(...years), high = Math.max(...years), timed = years.length > 0 && high > low;
    const order = [...new Set(list.map(of))].sort((a, b) => byDate(docs[a], docs[b])), h = timed ? 260 : Math.min(600, 40 + 16 * order.length);
    const svg = draw("svg", { class: "chart", viewBox: `0 0 1000 ${h}`, role: "img", "aria-label": label });
    const y = (i) => timed ? (yearOf(docs[i]) === null ? h - 26 : 14 + (h - 50) * (yearOf(docs[i]) - low) / (high - low)) : 14 + (h - 40) * order.indexOf(i) / Math.max(1, order.length - 1);
    svg.append(draw("line", { class: "axis", x1: 60, y1: h - 18, x2: 990, y2: h - 18 }), draw("text", { x: 60, y: h - 4 }, "beginning"), draw("text", { x: 990, y: h - 4, "text-anchor": "end" }, "end"));
    if (timed) svg.append(draw("text", { x: 4, y: 18 }, yearName(low)), draw("text", { x: 4, y: h - 34 }, yearName(high)));
    for (const m of list.slice(0, 3000)) {
      const span = of(m) === m.t ? m.x : m.y, x = 60 + 930 * span[0] / Math.max(1, d.n);
      svg.append(draw("a", { href: ofMatch(m) }, draw("rect", { class: "dot", x, y: y(of(m)) - 4, width: Math.max(4, 930 * (span[1] - span[0]) / Math.max(1, d.n)), height: 8, rx: 2 }, draw("title", {}, named(docs[of(m)]) + ": " + m.u.slice(0, 120)))));
    }
    return wide(svg);
  };
  const book = async (q) => {
    const i = byId.get(q.get("id"));
    if (i === undefined) return section("Not here", "This page has no document of that name.");
    const d = docs[i], list = (await matchesOf(i)).sort((a, b) => a.x[0] - b.x[0]), who = q.get("by") ?? "";
    const by = [...new Set(list.map((m) => m.t))].sort((a, b) => named(docs[a]) < named(docs[b]) ? -1 : 1);
    const shown = who ? list.filter((m) => docs[m.t].id === who) : list;
    const chooser = make("select", "");
    for (const t of [null, ...by]) { const o = make("option", "", t === null ? "all" : named(docs[t])); o.value = t === null ? "" : docs[t].id; chooser.append(o); }
    chooser.value = who;
    chooser.onchange = () => { location.hash = address("book", { id: d.id, by: chooser.value }); };
    const told = fields.map((f, k) => d.f[k] ? f + ": " + d.f[k] : "").filter(Boolean).join(" · ");
    const out = make("div", "", section(named(d), d.id + " · " + whole(d.n) + " characters" + (told ? " · " + told : "")));
    if (list.length) out.append(section("Quoted here", "Each mark is a passage that another document has: from left to right over the length of this one, from top to bottom over the time of those.",
      map(d, shown, (m) => m.t, "where it is quoted, over its length and over time"), make("div", "filters", make("label", "", "By", chooser)), cards(shown)));
    if (fromOf[i].length) out.append(section("Quotes", "What this document has of others.",
      table(["document", "matches", "words"], [...fromOf[i]].sort((a, b) => b[2] - a[2]).slice(0, atOnce).map(([s, t, n, w]) => [anchor(ofPair(s, t), named(docs[s])), n, w]), "Documents that it quotes")));
    return out;
  };
  const pair = async (q) => {
    const s = byId.get(q.get("source")), t = byId.get(q.get("target"));
    if (s === undefined || t === undefined) return section("Not here", "This page has no such two documents.");
    const list = (await matchesOf(s)).filter((m) => m.t === t).sort((a, b) => a.x[0] - b.x[0]), a = docs[s], b = docs[t];
    const svg = draw("svg", { class: "chart", viewBox: "0 0 1000 170", role: "img", "aria-label": "where the words of one stand in the other" });
    svg.append(draw("text", { x: 20, y: 16 }, named(a)), draw("text", { x: 20, y: 164 }, named(b)));
    for (const m of list) {
      const x = 20 + 960 * (m.x[0] + m.x[1]) / 2 / Math.max(1, a.n), y = 20 + 960 * (m.y[0] + m.y[1]) / 2 / Math.max(1, b.n);
      svg.append(draw("a", { href: ofMatch(m) }, draw("path", { class: "edge", d: `M${x} 24V36L${y} 134V146`, "stroke-width": 3 }, draw("title", {}, m.u.slice(0, 120) || quotedAt(m)))));
    }
    return section("Side by side", count(list.length, "match") + ". Left what is quoted, right who quotes; a line above leads from one to the other.",
      make("p", "", anchor(ofBook(s), named(a)), " and ", anchor(ofBook(t), named(b))), bothTexts(s, t) ? make("p", "", anchor(ofTexts(s, t), "Read both texts", "button"), " from beginning to end, with every match marked in both.")
        : make("p", "place", withheld(s, t) ? "The words of these two documents are not shown: as far as is known, their rights do not permit it." : "The whole texts are not in this page. The page of commonplace serve has them, and that of commonplace report --reuse --texts."),
      wide(svg), cards(list));
  };

  // Both texts from beginning to end. Offsets count code points, and a string of the
  // browser has two units for a character beyond the first 65,536.
  const unitsOf = (text, points) => {
    let at = 0, passed = 0;
    return points.map((p) => {
      for (; passed < p && at < text.length; passed++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
      return at;
    });
  };
  // A column has a text in blocks, so that the browser lays out those that are looked at. A
  // long match is marked in parts, so that each leads to about the same place of the other
  // text. Both end where a line ends.
  const blockUnits = 5000, markUnits = 500;
  const column = (text, spans, marked) => {
    const points = [...new Set(spans.flat())].sort((a, b) => a - b), units = unitsOf(text, points), out = make("div", "whole");
    const begins = new Map(), ends = new Map();
    spans.forEach(([b, e], k) => { begins.set(b, [...begins.get(b) ?? [], k]); ends.set(e, [...ends.get(e) ?? [], k]); });
    let block = make("div", "block"), size = 0, at = 0, open = [];
    const put = (s) => {
      for (let cut; s.length > 0; s = s.slice(cut)) {
        cut = s.indexOf("\n", Math.max(0, Math.min(open.length ? markUnits : blockUnits, blockUnits - size))) + 1 || s.length;
        const part = s.slice(0, cut);
        block.append(open.length ? marked(part, open) : part);
        size += cut;
        if (size <= blockUnits || !part.endsWith("\n")) continue;
        out.append(block);
        block = make("div", "block");
        size = 0;
      }
    };
    for (const [i, unit] of [...units, text.length].entries()) {
      put(text.slice(at, unit));
      at = unit;
      if (i < points.length) open = [...open.filter((k) => !(ends.get(points[i]) ?? []).includes(k)), ...begins.get(points[i]) ?? []];
    }
    out.append(block);
    return out;
  };
  // Matches of two documents, also those found from the other side, unless both sides have them.
  const matchesOfTwo = async (s, t) => {
    const half = (a, b) => 2 * (Math.min(a[1], b[1]) - Math.max(a[0], b[0])) >= a[1] - a[0];
    const [ofS, ofT] = await Promise.all([matchesOf(s), matchesOf(t)]);
    const there = ofS.filter((m) => m.t === t).map((m) => [m.x, m.y]);
    const back = ofT.filter((m) => m.t === s).map((m) => [m.y, m.x]);
    return [...there, ...back.filter((m) => !there.some((n) => half(m[0], n[0]) && half(m[1], n[1])))].sort((a, b) => a[0][0] - b[0][0] || a[1][0] - b[1][0]);
  };
  const wholeTexts = async (q) => {
    const of = [byId.get(q.get("source")), byId.get(q.get("target"))];
    if (of.includes(undefined) || !bothTexts(...of)) return section("Not here", "This page has no such two texts.");
    const [list, ...both] = await Promise.all([matchesOfTwo(...of), ...of.map((i) => textOf(docs[i]))]);
    const marks = [list.map(() => []), list.map(() => [])], sides = [], atOf = (k) => list[k][0][0] + "-" + list[k][1][0];
    const choose = (k) => {
      for (const e of view.querySelectorAll(".link.on")) e.classList.remove("on");
      for (const e of [...marks[0][k], ...marks[1][k]]) e.classList.add("on");
    };
    // The counterpart comes to the height of the mark that was chosen. Blocks that were not
    // laid out yet change their height on the way there, so it is done again for some frames.
    const level = (side, to, height, frames = 8) => {
      const at = to.getBoundingClientRect(), within = Math.max(0, Math.min(height, sides[side].clientHeight - at.height));
      sides[side].scrollTop += at.top - sides[side].getBoundingClientRect().top - within;
      if (frames > 0) requestAnimationFrame(() => level(side, to, height, frames - 1));
    };
    const follow = (side, from, open) => {
      const k = open[from.turn % open.length], here = marks[side][k], there = marks[1 - side][k];
      const to = there[Math.floor(here.indexOf(from) * there.length / here.length)]; // of a long match the part as far from its beginning
      from.turn++;
      if (!to) return;
      to.turn = to.matches.indexOf(k);
      choose(k);
      level(1 - side, to, from.getBoundingClientRect().top - sides[side].getBoundingClientRect().top);
      to.focus({ preventScroll: true });
      history.replaceState(null, "", ofTexts(...of, atOf(k)));
      document.documentElement.dataset.shown = location.hash;
    };
    for (const side of [0, 1]) {
      sides[side] = column(both[side], list.map((m) => m[side]), (s, open) => {
        const a = anchor(ofTexts(...of, atOf(open[0])), s, "link");
        a.turn = 0;
        a.matches = open;
        a.title = "also in " + named(docs[of[1 - side]]) + ", " + open.map((k) => list[k][1 - side].join("–")).join("; ");
        a.onclick = (e) => {
          if (e.ctrlKey || e.metaKey || e.shiftKey) return; // to a new tab or window
          e.preventDefault();
          follow(side, a, open);
        };
        if (open.every((k) => marks[side][k].length)) a.tabIndex = -1; // the keyboard goes from match to match
        for (const k of open) marks[side][k].push(a);
        return a;
      });
      sides[side].tabIndex = 0;
      sides[side].setAttribute("role", "region");
      sides[side].setAttribute("aria-label", named(docs[of[side]]));
    }
    const out = section("Both texts", count(list.length, "match") + ", marked in both. A click on a mark, or Enter, leads to the other text, and from there back.",
      make("p", "", anchor(ofPair(...of), "The matches alone")),
      make("div", "both", ...sides.map((e, side) => make("div", "", make("h3", "place", anchor(ofBook(of[side]), named(docs[of[side]]))), e))));
    out.shown = () => {
      const k = list.findIndex((_, i) => atOf(i) === q.get("at"));
      if (k < 0) return out.scrollIntoView();
      out.querySelector(".both").scrollIntoView();
      choose(k);
      for (const side of [0, 1]) if (marks[side][k][0]) level(side, marks[side][k][0], sides[side].clientHeight / 3);
      marks[0][k][0]?.focus({ preventScroll: true });
    };
    return out;
  };
  const match = async (q) => {
    const s = byId.get(q.get("source")), m = s === undefined ? null : (await matchesOf(s)).find((m) => docs[m.t].id === q.get("target") && m.x[0] + "-" + m.y[0] === q.get("at"));
    return m ? section("One match", "The address of this page leads back here.", card(m, true)) : section("Not here", "This page has no such match; the run may have been built again.");
  };

  const copies = (q) => {
    const rows = clusters.filter((c) => !q.get("c") || c.c === q.get("c"));
    const list = make("div", "", ...rows.slice(0, 50).map((c) => make("article", "pair", make("p", "place", anchor(address("clusters", { c: c.c }), count(c.n, "document"))), make("p", "", c.t),
      make("details", "", make("summary", "", count(c.m.length, "copy").replace("copys", "copies")), make("ul", "", ...[...c.m].sort((a, b) => byDate(docs[a[0]], docs[b[0]]))
        .map((m) => make("li", "", anchor(ofBook(m[0]), named(docs[m[0]])), ", " + m[1] + "–" + m[2] + (likely[m[3]] ?? ""))))))));
    return section("Copies", clusters.length ? "Passages that several documents have, those of most documents first." + (left ? " " + whole(left) + " smaller ones are not shown." : "") : "This run has no table clusters: add it to label.datasets.",
      list, make("p", "status", rows.length > 50 ? "50 of " + whole(rows.length) + " are shown." : ""));
  };

  // Search reads every part, one after the other, and shows what it has so far.
  let asked = 0;
  const search = (q) => {
    const input = make("input", ""), status = make("p", "status"), found = make("div", "");
    input.type = "search"; input.value = q.get("q") ?? ""; input.setAttribute("aria-label", "words");
    const go = make("button", "", "Search");
    const form = make("form", "filters", input, go);
    form.onsubmit = (e) => { e.preventDefault(); location.hash = address("search", { q: input.value }); };
    status.setAttribute("role", "status");
    const run = async (words, mine) => {
      const hits = docs.map((d, i) => i).filter((i) => words.every((w) => fold(named(docs[i]) + " " + docs[i].f.join(" ")).includes(w)));
      if (hits.length) found.append(table(["document", "quoted", "quotes"], hits.slice(0, 50).map((i) => [anchor(ofBook(i), named(docs[i])), quoted[i], quotes[i]]), "Documents"));
      let n = 0;
      for (let p = 0; p < parts.length && mine === asked; p++) {
        for (const m of await load(p)) {
          const text = fold(m.u + " " + m.v);
          if (words.every((w) => text.includes(w)) && ++n <= 50) found.append(card(m));
        }
        status.textContent = count(hits.length, "document") + ", " + count(n, "match") + (n > 50 ? ", the first 50 are shown" : "") + (p + 1 < parts.length ? `; read ${p + 1} of ${parts.length} files …` : "");
      }
    };
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    if (words.length) run(words, ++asked).catch((e) => { status.textContent = e.message; });
    return section("Search", "Words of titles, authors, fields and matched passages, in any order.", form, status, found);
  };

  const routes = { documents, time, network, clusters: copies, search, book, pair, match, texts: wholeTexts };
  let turn = 0;
  const show = async () => {
    const [route, query = ""] = location.hash.slice(1).split("?"), mine = ++turn;
    let content;
    try {
      content = await (Object.hasOwn(routes, route) ? routes[route] : documents)(new URLSearchParams(query));
    } catch (e) {
      content = section("Not here", e.message + (texts ? ". Is commonplace serve still running? If the run was built again, start it again." : ". Keep the page and its folder together."));
    }
    if (mine !== turn) return;
    view.replaceChildren(content);
    for (const a of document.querySelectorAll(".contents a")) a.toggleAttribute("aria-current", a.getAttribute("href") === "#" + (route || "documents"));
    document.documentElement.dataset.shown = location.hash;
    if (mine > 1) { view.focus({ preventScroll: true }); scrollTo(0, 0); }
    content.shown?.();
  };
  addEventListener("hashchange", show);
  if (parts.every((p) => p)) show(); else addEventListener("DOMContentLoaded", show); // the parts stand behind this script
})();
