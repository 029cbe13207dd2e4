(() => {
  const broken = [];
  const say = (rule, e, why) => broken.push(`${rule}: <${e.tagName.toLowerCase()}${e.id ? " #" + e.id : e.classList?.length ? " ." + e.classList[0] : ""}> ${why}`);
  const dialog = document.querySelector("dialog[open]");
  const within = dialog ?? document.body;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest("[aria-hidden=true]");
  const all = (selector) => [...within.querySelectorAll(selector)].filter(seen);

  // 3.1.1, 2.4.2
  if (!document.documentElement.lang) say("language", document.documentElement, "has no lang");
  if (!document.title.trim()) say("title", document.documentElement, "has no title");

  // 4.1.2: each control has a name.
  const named = (e) => {
    const by = (e.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
    const label = e.labels?.length ? [...e.labels].map((l) => l.textContent).join("") : "";
    return [by.map((id) => document.getElementById(id)?.textContent || "").join(""), e.getAttribute("aria-label"), label, e.textContent, e.title, e.alt].some((s) => s && s.trim());
  };
  for (const e of all("button")) if (!named(e)) say("button", e, "has no name");
  for (const e of all("a[href]")) if (!named(e)) say("link", e, "has no name");
  for (const e of all("input, select, textarea")) if (!(e.labels?.length || e.getAttribute("aria-label") || e.getAttribute("aria-labelledby"))) say("input", e, "has no label");
  for (const e of all("img, [role=img], dialog, [role=region]")) if (e.matches("dialog, [role=region], [role=img]") ? !(e.getAttribute("aria-label") || document.getElementById(e.getAttribute("aria-labelledby"))) : e.getAttribute("alt") === null) say("image", e, "has no text for those who do not see it");

  // 4.1.1, 1.3.1: ids are unique and lead somewhere; headings leave no level out.
  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) { if (ids.has(e.id)) say("id", e, "is there twice"); ids.add(e.id); }
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls]")) for (const a of ["aria-labelledby", "aria-describedby", "aria-controls"])
    for (const id of (e.getAttribute(a) || "").split(/\s+/).filter(Boolean)) if (!ids.has(id) && !(e.tagName === "DIALOG" && !e.open)) say("id", e, `${a} leads to ${id}, which is not there`);
  let level = dialog ? 1 : 0;
  for (const h of all("h1, h2, h3, h4, h5, h6")) { const n = +h.tagName[1]; if (n > level + 1) say("heading", h, `is of level ${n} after ${level}`); level = n; }
  for (const t of all("table")) if (!t.querySelector("th[scope]")) say("table", t, "has no heads");
  for (const l of all("ul, ol")) for (const c of l.children) if (!["LI", "SCRIPT", "TEMPLATE"].includes(c.tagName)) say("list", l, `holds <${c.tagName.toLowerCase()}>`);
  for (const l of all("li")) if (!l.closest("ul, ol, menu")) say("list", l, "is in no list");

  // 2.4.3, 2.5.8: the order of the keyboard; targets of 24 pixels, or apart from others, or in a text.
  for (const e of all("[tabindex]")) if (e.tabIndex > 0) say("tabindex", e, "goes before the order of the page");
  for (const e of all("button, input, select, summary")) { const r = e.getBoundingClientRect(); if (r.width && (r.width < 24 || r.height < 24) && e.type !== "checkbox" && e.tagName !== "SUMMARY") say("target", e, `is ${Math.round(r.width)} by ${Math.round(r.height)} pixels`); }
  for (const e of all("*")) if (getComputedStyle(e).overflowX === "auto" && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0 && !e.querySelector("a, button") && e.tagName !== "DIALOG") say("scroll", e, "scrolls and cannot be reached by keyboard");

  // 1.4.3: contrast of 4.5, or of 3 in large letters. Colours are drawn, which reads every notation.
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }), pen = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); known.set(colour, [...pen.getImageData(0, 0, 1, 1).data].map((x, i) => i === 3 ? x / 255 : x)); }
    return known.get(colour);
  };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const ground = (e) => { const c = rgba(getComputedStyle(e).backgroundColor); return c[3] >= 1 || !e.parentElement ? over(c, [255, 255, 255, 1]) : over(c, ground(e.tagName === "DIALOG" ? document.documentElement : e.parentElement)); };
  const light = (c) => [.2126, .7152, .0722].reduce((s, w, i) => { const x = c[i] / 255; return s + w * (x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); }, 0);
  const pale = new Set();
  for (const e of all("*")) {
    if (e.closest("svg, [disabled]") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e), back = ground(e), [a, b] = [light(over(rgba(style.color), back)), light(back)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05), size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    const place = e.tagName + e.className;
    if (ratio < (large ? 3 : 4.5) && !pale.has(place)) { pale.add(place); say("contrast", e, `${ratio.toFixed(2)} of “${e.textContent.trim().slice(0, 30)}”`); }
  }
  return broken;
})()
