"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const { books, passages, highest, ranked } = JSON.parse($("data").textContent);
  const byId = new Map(passages.map((p, i) => [p.id, i]));
  const step = 30, atFirst = 12;
  let shown = [], size = atFirst, needle = [];

  // Texts of books enter the page here and nowhere else: as text, never as HTML.
  const make = (tag, name, ...children) => {
    const e = document.createElement(tag);
    if (name) e.className = name;
    e.append(...children);
    return e;
  };
  const fold = (s) => s.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const score = (n) => n === null ? "–" : Math.abs(n) >= 1e-3 && Math.abs(n) < 1000 ? n.toPrecision(3) : Number(n.toPrecision(3)).toString();
  const times = (n) => n === 1 ? "quoted once" : `quoted ${n} times`;
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const link = (p) => "#" + encodeURIComponent(p.id).replace(/%3A/g, ":");

  books.map((b, i) => [b, i]).sort((a, b) => a[0].t < b[0].t ? -1 : 1).forEach(([b, i]) => {
    const o = make("option", "", b.t);
    o.value = i;
    $("book").append(o);
  });

  // What is searched, made while nobody waits for it.
  const folded = [];
  const foldUntil = (enough) => { while (folded.length < passages.length && !enough()) { const p = passages[folded.length]; folded.push(fold(p.l ? p.t + " " + p.l.t : p.t)); }; };
  const foldAhead = (idle) => {
    foldUntil(() => idle.timeRemaining() < 2);
    if (folded.length < passages.length) requestIdleCallback(foldAhead);
  };

  const filter = () => {
    needle = fold($("search").value).split(/\s+/).filter(Boolean);
    if (needle.length) foldUntil(() => false);
    const book = $("book").value, quoted = $("quoted").checked;
    shown = [];
    for (let i = 0; i < passages.length; i++) {
      const p = passages[i];
      if (book !== "" && p.b !== +book) continue;
      if (quoted && !p.n && !p.q) continue;
      if (needle.length && !needle.every((w) => folded[i].includes(w))) continue;
      shown.push(i);
    }
    const order = $("order").value;
    if (order === "count") shown.sort((a, b) => (passages[b].n || 0) - (passages[a].n || 0) || a - b);
    if (order === "place") shown.sort((a, b) => passages[a].id < passages[b].id ? -1 : 1);
    size = atFirst;
    $("cards").replaceChildren();
    draw();
  };

  const draw = () => {
    const list = $("cards");
    for (let i = list.children.length; i < Math.min(size, shown.length); i++) list.append(card(passages[shown[i]]));
    $("more").hidden = size >= shown.length;
    const all = whole(passages.length), some = whole(shown.length);
    $("status").textContent = shown.length === 0 ? `None of ${all} passages` :
      `${shown.length === passages.length ? all : some + " of " + all} passages, ${Math.min(size, shown.length)} shown`;
  };

  // The passage's best line; in a search the words around the first hit; or the beginning.
  const excerpt = (p) => {
    if (p.l && !needle.length) return p.l.t.replace(/\s+/g, " ");
    const flat = p.t.replace(/\s+/g, " ").trim();
    let from = 0;
    if (needle.length) {
      const at = flat.toLowerCase().indexOf(needle[0]);
      if (at > 140) from = flat.indexOf(" ", at - 90) + 1;
    } else if (p.q) {
      const points = [...p.t];
      const first = Math.min(...p.q.flatMap((q) => q.a.map((span) => span[0])));
      const at = points.slice(0, first).join("").replace(/\s+/g, " ").length;
      if (at > 60) from = flat.indexOf(" ", at - 40) + 1;
    }
    if (from && flat.length - from < 240) from = flat.length > 240 ? flat.indexOf(" ", flat.length - 240) + 1 : 0;
    let to = from + 240;
    if (to < flat.length) to = flat.lastIndexOf(" ", to);
    return (from ? "… " : "") + flat.slice(from, to) + (to < flat.length ? " …" : "");
  };

  const hits = (text) => {
    if (!needle.length) return [text];
    const low = text.toLowerCase(), out = [];
    let done = 0;
    while (done < text.length) {
      let at = -1, length = 0;
      for (const w of needle) {
        const i = low.indexOf(w, done);
        if (i >= 0 && (at < 0 || i < at)) { at = i; length = w.length; }
      }
      if (at < 0 || low.length !== text.length) break;
      out.push(text.slice(done, at), make("mark", "hit", text.slice(at, at + length)));
      done = at + length;
    }
    out.push(text.slice(done));
    return out;
  };

  const card = (p) => {
    const a = make("a", "card",
      ...(ranked ? [make("span", "head", make("span", "rank", "#" + whole(p.r)), make("span", "", `no. ${p.rd} of its book`), make("span", "score", score(p.s)))] : []),
      make("span", "words", ...hits(excerpt(p))));
    const foot = make("span", "foot", make("span", "from", books[p.b].t));
    if (p.n || p.q) foot.append(make("span", "badge", times(p.n || p.q.length)));
    a.append(foot);
    a.href = link(p);
    return make("li", "", a);
  };

  // Lines of prose were broken by a printer and flow again; short ones, verse,
  // stay. One character for one, so that offsets hold.
  const flowing = (text) => text.replace(/\r/g, " ").replace(/([^\n]{46,})\n(?=[^\n]*\S)/g, "$1 ").replace(/^([^\n]+)\n(?=[^\n]{46})/, "$1 ");

  const reading = (p) => {
    const out = make("div", "reading");
    if (p.l) out.append(make("blockquote", "", flowing(p.l.t)));
    if (p.x) out.append(make("span", "around", "… " + flowing(p.x) + " "));
    const points = [...flowing(p.t)], inside = new Uint8Array(points.length + 1);
    for (const q of p.q || []) for (const [b, e] of q.a) inside.fill(1, b, e);
    if (p.l) for (let i = p.l.a[0]; i < p.l.a[1]; i++) inside[i] |= 2;
    for (let i = 0; i < points.length;) {
      let j = i;
      while (j < points.length && inside[j] === inside[i]) j++;
      const text = points.slice(i, j).join("");
      out.append(inside[i] ? make(inside[i] & 1 ? "mark" : "span", inside[i] & 2 ? "best" : "", text) : text);
      i = j;
    }
    if (p.cut) out.append(" […]");
    if (p.y) out.append(make("span", "around", " " + flowing(p.y) + " …"));
    return out;
  };

  // What differs within two words: all but their common beginning and end.
  const letters = (word, other) => {
    const a = [...word], b = [...other];
    let i = 0, j = 0;
    while (i < a.length && i < b.length && a[i] === b[i]) i++;
    while (j < a.length - i && j < b.length - i && a[a.length - 1 - j] === b[b.length - 1 - j]) j++;
    if (i + j === 0 || i + j === a.length) return [word];
    return [a.slice(0, i).join(""), make("b", "", a.slice(i, a.length - j).join("")), a.slice(a.length - j).join("")];
  };

  const quotation = (p, q) => {
    const lines = make("div", "lines");
    let differences = 0;
    for (const c of q.l || []) {
      const kind = c.k || 0, s = c.s || "", d = c.d || "";
      if (kind > 1) differences++;
      const pairs = kind ? [[s, d]] : s.split(" ").map((w) => [w, w]);
      for (const [above, below] of pairs) {
        lines.append(make("span", "k" + kind,
          make("span", "above", ...(kind === 2 ? letters(above, below) : [above])),
          make("span", "below", ...(kind === 2 ? letters(below, above) : [below]))));
      }
    }
    const said = [q.k, `similarity ${score(q.sim)}`, `confidence ${score(q.c)}`, differences === 1 ? "1 difference" : `${differences} differences`];
    const out = make("section", "quote", make("h3", "", q.w), make("p", "meta", said.join(" · ")), lines);
    out.append(make("p", "key", "Above, the book; below, the quotation" + (q.cut ? ". Shown to its first 400 words" : "") + "."));
    return out;
  };

  const gauge = (value, name, share) => {
    if (share === undefined) return make("div", "", make("b", "", value), name);
    const bar = make("i");
    bar.style.setProperty("--w", Math.max(0, Math.min(1, share)) * 100 + "%");
    return make("div", "", make("b", "", value), name, bar);
  };

  // What moved the score, up to the right of the middle and down to its left.
  const reasons = (p) => {
    if (!p.w) return [];
    const most = Math.max(...p.w.map((r) => Math.abs(r.e)));
    const list = make("ul", "");
    if (p.w[0].f.startsWith("sentence “")) {
      for (const r of p.w) list.append(make("li", "line", make("span", "", r.f.slice("sentence ".length)), make("b", "", score(r.e))));
      return [make("section", "reasons", make("h3", "", "Its best sentences"), list,
        make("p", "key", "Each as the model reads it alone, with its share of the passage’s score."))];
    }
    for (const r of p.w) {
      const bar = make("i", r.e > 0 ? "up" : "down");
      bar.style.setProperty("--w", Math.abs(r.e) / most * 50 + "%");
      list.append(make("li", "", make("span", "", r.f.replaceAll("_", " ")), bar, make("b", "", (r.e > 0 ? "+" : "−") + score(Math.abs(r.e)))));
    }
    return [make("section", "reasons", make("h3", "", "Why"), list,
      make("p", "key", "What moved the model’s output most, from an average passage on: up to the right, down to the left."))];
  };

  let returnTo = null;
  const open = (i) => {
    const p = passages[i], book = books[p.b], at = shown.indexOf(i);
    const title = make("h2", "", book.t);
    title.id = "reader-title";
    const body = [title, make("p", "meta", [book.a, p.id].filter(Boolean).join(" · ")),
      make("div", "gauge",
        ...(ranked ? [gauge(score(p.s), "score", highest ? p.s / highest : 0)] : []),
        ...(p.l ? [gauge(score(p.l.s), "its best line")] : []),
        ...(ranked ? [gauge("#" + whole(p.r), "of all passages", p.p), gauge("#" + whole(p.rd), "in its book", p.p)] : []),
        gauge(whole(p.n || 0), p.n === 1 ? "quotation" : "quotations")),
      reading(p), ...reasons(p), ...(p.q || []).map((q) => quotation(p, q))];
    if (p.m) body.push(make("p", "key", `${p.m} more quotations of this passage are in the table alignments.`));
    $("reader-body").replaceChildren(...body);
    $("reader-place").textContent = at < 0 ? "" : `${whole(at + 1)} of ${whole(shown.length)}`;
    $("reader-link").href = link(p);
    $("previous").disabled = at <= 0;
    $("next").disabled = at < 0 || at === shown.length - 1;
    $("previous").onclick = () => go(shown[at - 1]);
    $("next").onclick = () => go(shown[at + 1]);
    const dialog = $("reader");
    if (!dialog.open) { returnTo = document.activeElement; dialog.showModal(); }
    dialog.scrollTop = 0;
    document.title = book.t + " – " + p.id;
  };
  const go = (i) => { if (i !== undefined) history.replaceState(null, "", link(passages[i])), open(i); };
  const pageTitle = document.title;
  const route = () => {
    let id = "";
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { /* not a link of ours */ }
    if (byId.has(id)) open(byId.get(id));
    else if ($("reader").open) $("reader").close();
  };
  $("reader").addEventListener("close", () => {
    document.title = pageTitle;
    if (byId.has(decodeURIComponent(location.hash.slice(1)))) history.replaceState(null, "", location.pathname + location.search);
    if (returnTo && returnTo.isConnected) returnTo.focus({ preventScroll: true });
  });
  $("reader").addEventListener("click", (e) => { if (e.target === $("reader")) $("reader").close(); });
  $("reader").addEventListener("keydown", (e) => {
    if (e.key === "ArrowLeft") $("previous").click();
    if (e.key === "ArrowRight") $("next").click();
  });
  $("close").addEventListener("click", () => $("reader").close());
  $("more").addEventListener("click", () => { size += step; draw(); });
  let soon = 0;
  $("search").addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(filter, 90); });
  for (const id of ["book", "order", "quoted"]) $(id).addEventListener("change", filter);
  $("filters").addEventListener("submit", (e) => e.preventDefault());
  addEventListener("hashchange", route);
  filter();
  route();
  if (window.requestIdleCallback) requestIdleCallback(foldAhead);
})();
