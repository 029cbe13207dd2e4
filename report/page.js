"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const { books, passages, total, parts = [], fewer, of, ranked, sought } = JSON.parse($("data").textContent);
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
  const count = (n, one) => n === 1 ? "1 " + one : whole(n) + " " + one + "s";
  const whole = (n) => n.toLocaleString("en").replaceAll(",", "\u202f");
  const link = (p) => "#" + encodeURIComponent(p.id).replace(/%3A/g, ":");

  const option = (select, value, text) => {
    const o = make("option", "", text);
    o.value = value;
    select.append(o);
  };
  books.map((b, i) => [b, i]).sort((a, b) => a[0].t < b[0].t ? -1 : 1).forEach(([b, i]) => option($("book"), i, b.t));
  const authors = [...new Set(books.map((b) => b.a).filter(Boolean))].sort();
  authors.forEach((a) => option($("author"), a, a));
  $("author-label").hidden = authors.length < 2;

  // A large page has its later passages in files beside it. Each is a script, which
  // a page that is opened from a file may load. A page of a server runs none: when the server
  // has ended, the port may be another's, whose words are no scripts here.
  window.commonplacePart = (more) => {
    for (const p of more) { byId.set(p.id, passages.length); passages.push(p); }
  };
  const fromFile = location.protocol === "file:";
  let loaded = 0, lost = "", loading = null;
  const loadFrom = async (from) => {
    if (fromFile) return new Promise((done, failed) => {
      const script = make("script");
      script.src = from;
      script.onload = () => { script.remove(); done(); };
      script.onerror = failed;
      document.head.append(script);
    });
    const [, list] = /^commonplacePart\((.*)\)\n$/s.exec(await (await fetch(from)).text());
    window.commonplacePart(JSON.parse(list));
  };
  const nextPart = () => loading ??= loadFrom(parts[loaded]).then(() => loaded++, () => { lost = parts[loaded]; loaded = parts.length; }).then(() => { loading = null; });
  // All waits for the last part; whoever needs less says when it is enough.
  const load = async (enough, after = () => {}) => {
    while (loaded < parts.length && !enough()) { await nextPart(); after(); }
  };
  const all = () => loaded >= parts.length;

  // What is searched, made while nobody waits for it.
  const folded = [];
  const foldUntil = (enough) => { while (folded.length < passages.length && !enough()) { const p = passages[folded.length]; folded.push(fold(p.l ? p.t + " " + p.l.t : p.t)); }; };
  const foldAhead = (idle) => {
    foldUntil(() => idle.timeRemaining() < 2);
    if (folded.length < passages.length) requestIdleCallback(foldAhead);
  };

  const wordsOf = (p) => (p.l ? p.l.t : lead(p)).trim().split(/\s+/).length;
  const lengths = { short: (n) => n <= 12, middle: (n) => n > 12 && n <= 30, long: (n) => n > 30 };
  const fields = ["search", "author", "book", "order", "length", "quoted"];
  const asked = () => fields.filter((f) => $(f).value !== (f === "order" && ranked ? "rank" : f === "order" ? "count" : ""));

  const select = () => {
    const book = $("book").value, author = $("author").value, quoted = $("quoted").value, length = lengths[$("length").value];
    shown = [];
    for (let i = 0; i < passages.length; i++) {
      const p = passages[i];
      if (book !== "" && p.b !== +book) continue;
      if (author !== "" && books[p.b].a !== author) continue;
      if (quoted !== "" && (quoted === "yes") !== !!(p.n || p.q)) continue;
      if (length && !length(wordsOf(p))) continue;
      if (needle.length && !needle.every((w) => folded[i].includes(w))) continue;
      shown.push(i);
    }
    const order = $("order").value;
    if (order === "count") shown.sort((a, b) => (passages[b].n || 0) - (passages[a].n || 0) || a - b);
    if (order === "place") shown.sort((a, b) => passages[a].id < passages[b].id ? -1 : 1);
  };

  // What was asked for is searched in all parts, however many are still to come.
  let asking = 0;
  const filter = async () => {
    const mine = ++asking;
    needle = fold($("search").value).split(/\s+/).filter(Boolean);
    const refresh = () => {
      if (mine !== asking) return;
      if (needle.length) foldUntil(() => false);
      select();
      $("cards").replaceChildren();
      draw();
    };
    size = atFirst;
    refresh();
    if (asked().length) await load(() => mine !== asking, refresh);
  };

  // The filters stand in the address, so that what was found can be shared.
  const remember = () => {
    const q = new URLSearchParams(asked().map((f) => [f, f === "book" ? books[$(f).value].id : $(f).value]));
    history.replaceState(null, "", q.size ? "#?" + q : location.pathname + location.search);
  };
  const recall = (q) => {
    for (const f of fields) if (q.has(f)) $(f).value = f === "book" ? books.findIndex((b) => b.id === q.get(f)) : q.get(f);
  };

  const draw = () => {
    const list = $("cards");
    for (let i = list.children.length; i < Math.min(size, shown.length); i++) list.append(card(passages[shown[i]]));
    $("more").hidden = size >= shown.length && (all() || asked().length > 0);
    const noun = ranked ? "line" : "passage";
    $("status").textContent = (lost ? `A file of this page is missing: ${lost}. Keep the folder beside the page. ` : "") +
      (asked().length === 0 ? `${count(total, noun)}, ${Math.min(size, shown.length)} shown` :
      shown.length === 0 ? (all() ? `None of ${count(total, noun)}` : "Searching …") :
      `${whole(shown.length)} of ${count(total, noun)}, ${Math.min(size, shown.length)} shown` + (all() ? "" : " so far"));
  };

  const lead = (p) => p.o ? [...p.t].slice(p.o[0], p.o[1]).join("") : p.t;

  // The passage's best line; in a search the sentences around the first hit; of a
  // quotation those around it; or the first whole sentences.
  const excerpt = (p) => {
    const flat = (s) => s.replace(/\s+/g, " ");
    const line = flat(p.l ? p.l.t : lead(p)).trim();
    if (needle.length ? needle.some((w) => fold(line).includes(w)) : p.l || !p.q) return line;
    const text = flat(p.t);
    const at = needle.length ? text.toLowerCase().indexOf(needle[0]) :
      flat([...p.t].slice(0, Math.min(...p.q.flatMap((q) => q.a.map((span) => span[0])))).join("")).length;
    if (at < 0) return line;
    const ends = [...text.matchAll(/[.!?…]["'”’)\]_]*\s/g)].map((m) => m.index + m[0].length);
    const from = Math.max(0, ...ends.filter((e) => e <= at));
    const to = ends.find((e) => e > at + 60) ?? text.length;
    return text.slice(from, to).trim();
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

  // A share of one as a bar; the words beside it say the same.
  const bar = (share) => {
    const b = make("i", "share");
    b.style.setProperty("--w", Math.max(0, Math.min(1, share || 0)) * 100 + "%");
    return b;
  };
  const percent = (share) => Math.min(99.9, Math.floor(share * 1e3) / 10) + " %";

  const card = (p) => {
    const a = make("a", "card", make("span", "words", ...hits(excerpt(p))));
    a.append(make("span", "from", [books[p.b].a, books[p.b].t].filter(Boolean).join(" · ")));
    const foot = make("span", "foot");
    if (ranked) foot.append(make("span", "rank", "#" + whole(p.r)), bar(p.p), make("span", "", `above ${percent(p.p)}`));
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
    if (p.x) out.append(make("span", "around", flowing(p.x) + " "));
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
    if (p.y) out.append(make("span", "around", " " + flowing(p.y)));
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
    const said = [q.k, `similarity ${score(q.sim)}`, `confidence ${score(q.c)}`, count(differences, "difference")];
    const out = make("section", "quote", make("h3", "", q.w), make("p", "meta", said.join(" · ")), lines);
    out.append(make("p", "key", "Above, the book; below, the quotation" + (q.cut ? ". Shown to its first 400 words" : "") + "."));
    return out;
  };

  const gauge = (name, value, share) => make("div", "", make("span", "", name), make("b", "", value), ...(share === undefined ? [] : [bar(share)]));

  // What moved the score, up to the right of the middle and down to its left.
  const numbers = (p) => {
    const list = make("ul", "");
    if (ranked) for (const [name, value] of [["score", score(p.s)], ...(p.l ? [["score of its best line", score(p.l.s)]] : []), ["rank of all passages", `${whole(p.r)} of ${whole(of)}`], ["rank in its book", whole(p.rd)]])
      list.append(make("li", "line", make("span", "", name), make("b", "", value)));
    const out = [list];
    if (p.w) {
      const most = Math.max(...p.w.map((r) => Math.abs(r.e))), lines = p.w[0].f.startsWith("sentence “"), why = make("ul", "");
      for (const r of p.w) {
        if (lines) { why.append(make("li", "line", make("span", "", r.f.slice("sentence ".length)), make("b", "", score(r.e)))); continue; }
        const i = make("i", r.e > 0 ? "up" : "down");
        i.style.setProperty("--w", Math.abs(r.e) / most * 50 + "%");
        why.append(make("li", "", make("span", "", r.f.replaceAll("_", " ")), i, make("b", "", (r.e > 0 ? "+" : "−") + score(Math.abs(r.e)))));
      }
      out.push(make("h3", "", lines ? "Its best sentences" : "What moved the model most"), why,
        make("p", "key", lines ? "Each as the model reads it alone, with its part of the passage’s score." :
          "From an average passage on: up to the right, down to the left. The names are those of docs/features.md."));
    }
    return make("details", "reasons", make("summary", "", "Numbers"), ...out);
  };

  // The kind of line, with what it is about in other letters.
  const kind = (p) => {
    if (!p.k || !p.k.length) return [];
    const out = make("p", "why", make("b", "", "Why "));
    p.k.forEach((said, i) => {
      if (i) out.append("; ");
      if (said.startsWith("about ")) out.append("about ", make("em", "", said.slice(6)));
      else out.append(said);
    });
    out.append(".");
    return [out];
  };

  let returnTo = null;
  const open = (i) => {
    const p = passages[i], book = books[p.b], at = shown.indexOf(i);
    const title = make("h2", "", book.t);
    title.id = "reader-title";
    const body = [title, make("p", "meta", [book.a, p.id].filter(Boolean).join(" · ")),
      make("blockquote", "line", flowing(p.l ? p.l.t : lead(p)).trim()), ...kind(p),
      make("div", "gauge",
        ...(ranked ? [gauge("Predicted", `above ${percent(p.p)} of all passages`, p.p)] : []),
        ...(sought ? [gauge("Quoted", p.n ? `${count(p.n, "quotation")}, more than ${percent(fewer[p.n])}` : p.q ? count(p.q.length, "quotation") : "not in these lists", p.n ? fewer[p.n] : 0)] : [])),
      reading(p), ...(p.q || []).map((q) => quotation(p, q))];
    if (p.m) body.push(make("p", "key", `${count(p.m, "more quotation")} of this passage: see the table alignments.`));
    if (ranked) body.push(numbers(p));
    $("reader-body").replaceChildren(...body);
    const waiting = !asked().length && !all(); // the rest of the page's lines is in files beside it
    $("reader-place").textContent = at < 0 ? "" : `${whole(at + 1)} of ${whole(waiting ? total : shown.length)}`;
    $("reader-link").href = link(p);
    $("previous").disabled = at <= 0;
    $("next").disabled = at < 0 || at === shown.length - 1 && !waiting;
    $("previous").onclick = () => go(shown[at - 1]);
    $("next").onclick = async () => {
      if (at === shown.length - 1 && waiting) { await load(() => shown.length > at + 1, select); draw(); }
      go(shown[at + 1]);
    };
    const dialog = $("reader");
    if (!dialog.open) { returnTo = document.activeElement; dialog.showModal(); }
    dialog.scrollTop = 0;
    document.title = book.t + " – " + p.id;
  };
  const go = (i) => { if (i !== undefined) history.replaceState(null, "", link(passages[i])), open(i); };
  const pageTitle = document.title;
  const idOf = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } }; // "" is no link of ours
  const route = async () => {
    const id = idOf();
    if (location.hash.startsWith("#?")) {
      const q = new URLSearchParams(location.hash.slice(2));
      if (q.has("card")) return showCard(q.get("card"));
      recall(q);
      return filter();
    }
    if (id && !document.getElementById(id)) await load(() => byId.has(id) || idOf() !== id);
    if (byId.has(id)) open(byId.get(id));
    else if ($("reader").open) $("reader").close();
  };

  // The best lines of a book as a card.
  let carded = null;
  const showCard = (id) => {
    const article = [...document.querySelectorAll(".book")].find((b) => b.dataset.book === id);
    if (!article) return;
    carded = id;
    const lines = [...article.querySelectorAll(".best-lines a")].slice(0, +$("card-lines").value);
    const title = make("h2", "", article.querySelector("h3").textContent);
    title.id = "card-title";
    const author = books.find((b) => b.id === id)?.a;
    $("card-body").replaceChildren(title, ...(author ? [make("p", "meta", author)] : []), ...lines.map((a) => make("blockquote", "", a.textContent)));
    history.replaceState(null, "", "#?" + new URLSearchParams({ card: id }));
    if (!$("card").open) $("card").showModal();
  };
  for (const b of document.querySelectorAll(".to-card")) b.addEventListener("click", () => showCard(b.closest(".book").dataset.book));
  $("card-lines").addEventListener("change", () => showCard(carded));
  $("card-print").addEventListener("click", () => print());
  $("card-close").addEventListener("click", () => $("card").close());
  $("card").addEventListener("click", (e) => { if (e.target === $("card")) $("card").close(); });
  $("card").addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search));
  $("card-copy").addEventListener("click", async () => {
    const body = $("card-body"), author = body.querySelector(".meta");
    const text = [...body.querySelectorAll("blockquote")].map((b) => "“" + b.textContent + "”").join("\n\n") +
      "\n\n— " + (author ? author.textContent + ", " : "") + body.querySelector("h2").textContent + "\n";
    try { await navigator.clipboard.writeText(text); $("card-copy").textContent = "Copied"; } catch { getSelection().selectAllChildren(body); }
    setTimeout(() => { $("card-copy").textContent = "Copy"; }, 1500);
  });

  $("reader").addEventListener("close", () => {
    document.title = pageTitle;
    if (byId.has(idOf())) remember();
    if (returnTo && returnTo.isConnected) returnTo.focus({ preventScroll: true });
  });
  $("reader").addEventListener("click", (e) => { if (e.target === $("reader")) $("reader").close(); });
  $("reader").addEventListener("keydown", (e) => {
    if (e.key === "ArrowLeft") $("previous").click();
    if (e.key === "ArrowRight") $("next").click();
  });
  $("close").addEventListener("click", () => $("reader").close());
  $("more").addEventListener("click", async () => {
    size += step;
    if (!asked().length) { await load(() => shown.length >= size, select); }
    draw();
  });
  let soon = 0;
  $("search").addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(() => { remember(); filter(); }, 90); });
  for (const id of fields.slice(1)) $(id).addEventListener("change", () => { remember(); filter(); });
  $("filters").addEventListener("submit", (e) => e.preventDefault());
  addEventListener("hashchange", route);
  filter();
  route();
  if (window.requestIdleCallback) requestIdleCallback(foldAhead);
})();
