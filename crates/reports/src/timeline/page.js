// @ts-check
// Draws the lanes of the timeline page. In: the JSON in this page. Out: two canvases, a legend, a
// table that follows the search. Strings from the recording are inserted as text, never as HTML.
"use strict";
(() => {
  const ROW = 16; // pixels a row of spans is high,
  const CROWDED_ROW = 11; // and where a connection carries many requests at once
  const CROWD = 6; // rows
  const LANE_GAP = 9;
  const AXIS = 26;
  const TINY = 2; // narrower spans are drawn together
  const CLUSTER = 4; // pixels of what is drawn together
  const SLOWEST = 20;
  const SHORTEST_VIEW = 20; // microseconds

  /** @param {string} id @returns {any} */
  const at = (id) => document.getElementById(id);
  const recorded = JSON.parse(at("recorded").textContent);
  const total = Math.max(recorded.total, SHORTEST_VIEW);
  const kinds = recorded.kinds.map(([name, about, role]) => ({ name, about, isRequest: role === "request", shown: true, seen: 0 }));
  const isWork = (span) => kinds[span.kind].name !== "phase" && kinds[span.kind].name !== "wait";
  const lanes = recorded.lanes.map(([name, spans]) => lane(name, spans));
  const everything = lanes.flatMap((lane) => lane.spans);
  const boundaries = everything.filter((span) => kinds[span.kind].name === "phase" && Object.hasOwn(recorded.phases, span.label));

  const view = { from: 0, to: total };
  let query = "";
  let hits = everything;
  let shownLanes = lanes;
  let wholeHeight = 0;
  let hovered = null;
  let selected = null;
  /** @type {Record<string, string>} */
  let colours = {};
  let width = 0;
  let gutter = 0;

  function lane(name, compact) {
    const made = { name, spans: [], rows: [], top: 0, step: ROW, about: [] };
    for (const [kind, label, start, length, note = 0, answered = 0, wanted = 0, bytes = 0, files = 0] of compact) {
      const span = { kind, label: recorded.strings[label], start, end: start + length, note: recorded.strings[note], answered, wanted, bytes, files };
      made.spans.push(Object.assign(span, { lane: made, row: 0, hit: true }));
      kinds[kind].seen += 1;
    }
    const named = (kind) => made.spans.find((span) => kinds[span.kind].name === kind);
    const spoken = made.spans.find((span) => kinds[span.kind].name === "handshake" && span.note);
    made.about = named("connect") ? [named("connect").label, spoken ? spoken.note : "HTTP/1.1"] : [];
    return made;
  }

  const isShown = (span) => kinds[span.kind].shown && (span.hit || boundaries.includes(span));

  /**
   * Assigns the visible spans of each lane to rows so that they do not overlap; nested spans are
   * below.
   */
  function layOut() {
    wholeHeight = AXIS;
    for (const lane of lanes) {
      lane.rows = [];
      for (const span of lane.spans.filter(isShown)) {
        const row = lane.rows.findIndex((row) => row[row.length - 1].end <= span.start);
        span.row = row < 0 ? lane.rows.push([]) - 1 : row;
        lane.rows[span.row].push(span);
      }
      lane.top = wholeHeight;
      lane.step = lane.rows.length > CROWD ? CROWDED_ROW : ROW;
      if (lane.rows.length > 0) wholeHeight += Math.max(lane.rows.length * lane.step, (1 + lane.about.length) * ROW) + LANE_GAP;
    }
    shownLanes = lanes.filter((lane) => lane.rows.length > 0);
    draw();
  }

  // ---- values as text

  function time(microseconds) {
    if (microseconds < 1000) return `${Math.round(microseconds)} µs`;
    return microseconds < 1e6 ? `${(microseconds / 1e3).toFixed(2)} ms` : `${(microseconds / 1e6).toFixed(3)} s`;
  }

  function size(bytes) {
    const unit = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3;
    return unit === 0 ? `${bytes} B` : `${(bytes / 1000 ** unit).toFixed(1)} ${["B", "kB", "MB", "GB"][unit]}`;
  }

  function amount(span) {
    const files = span.files ? `${span.files.toLocaleString("en")} ${span.files === 1 ? "file" : "files"}` : "";
    return [span.bytes ? size(span.bytes) : "", files].filter(Boolean).join(", ");
  }

  /** The description of a span, one string per line. */
  function described(span) {
    const kind = kinds[span.kind];
    const lines = [`${kind.name}: ${kind.about}`, `${time(span.end - span.start)}, from ${time(span.start)} to ${time(span.end)}`];
    if (kind.isRequest) {
      lines.push(`sent ${time(span.wanted)} after it was queued`);
      const received = span.end - span.start - span.answered;
      lines.push(span.answered ? `response began after ${time(span.answered)}, received in ${time(received)}` : "no response");
    }
    return [...lines, [amount(span), span.note].filter(Boolean).join(", "), span.lane.name].filter(Boolean);
  }

  // ---- drawing

  const canvas = at("view");
  const overview = at("overview");
  const frame = at("frame");
  const paint = canvas.getContext("2d");
  const x = (time) => gutter + ((time - view.from) * (width - gutter)) / (view.to - view.from);
  const yOf = (span) => span.lane.top + span.row * span.lane.step;
  const timeAt = (x) => view.from + ((x - gutter) * (view.to - view.from)) / (width - gutter);

  function colourOf(span) {
    const name = kinds[span.kind].name;
    return colours[(name === "phase" && recorded.phases[span.label]) || name];
  }

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const names = [...kinds.map((kind) => kind.name), "paper", "raised", "line", "ink", "faint", "accent"];
    colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  /** Black or white, the more readable one on a color given as #rrggbb. */
  function inkOn(colour) {
    const [red, green, blue] = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16));
    return red * 0.3 + green * 0.59 + blue * 0.11 > 140 ? "#10141b" : "#ffffff";
  }

  function fit(element, height) {
    const ratio = devicePixelRatio || 1;
    const wide = element.clientWidth;
    if (element.width !== Math.round(wide * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(wide * ratio);
      element.height = Math.round(height * ratio);
      element.style.height = `${height}px`;
    }
    const context = element.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, wide, height);
    return wide;
  }

  const font = (pixels) => `${pixels}px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif`;

  let asked = false;
  function draw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      drawLanes();
      drawOverview();
    });
  }

  function drawLanes() {
    at("height").style.height = `${wholeHeight}px`;
    const height = Math.min(frame.clientHeight || wholeHeight, wholeHeight);
    width = fit(canvas, height);
    gutter = width < 700 ? 84 : 152;
    paint.font = font(11);
    paint.textBaseline = "middle";
    const scroll = frame.scrollTop;
    drawTicks(height);
    for (const lane of shownLanes) {
      paint.font = font(lane.step === ROW ? 11 : 9.5);
      lane.rows.forEach((row, index) => {
        const y = lane.top + index * lane.step - scroll;
        if (y > -ROW && y < height) drawRow(row, y, lane.step);
      });
    }
    paint.font = font(11);
    drawMarked(scroll);
    drawTitles(height, scroll);
    drawAxis();
  }

  function ticks() {
    const rough = ((view.to - view.from) * 90) / Math.max(width - gutter, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) || power * 10;
    const found = [];
    for (let tick = Math.ceil(view.from / step) * step; tick <= view.to; tick += step) found.push(tick);
    return { step, found };
  }

  function drawTicks(height) {
    paint.fillStyle = colours.line;
    for (const tick of ticks().found) paint.fillRect(Math.round(x(tick)), AXIS - 4, 1, height);
    paint.fillStyle = colours.faint;
    paint.globalAlpha = 0.45;
    for (const span of boundaries) if (span.row === 0) paint.fillRect(Math.round(x(span.start)), AXIS, 1, height);
    paint.globalAlpha = 1;
  }

  function drawAxis() {
    paint.fillStyle = colours.paper;
    paint.fillRect(0, 0, width, AXIS - 4);
    paint.fillStyle = colours.faint;
    const { step, found } = ticks();
    /** @type {[number, string]} */
    const unit = step < 1e3 ? [1, "µs"] : step < 1e6 ? [1e3, "ms"] : [1e6, "s"];
    for (const tick of found) {
      const text = `${+(tick / unit[0]).toFixed(3)} ${unit[1]}`;
      if (x(tick) >= gutter - 1 && x(tick) + 8 * text.length < width + 20) paint.fillText(text, x(tick) + 3, (AXIS - 4) / 2 + 1);
    }
    paint.fillStyle = colours.line;
    paint.fillRect(0, AXIS - 4, width, 1);
  }

  function drawTitles(height, scroll) {
    paint.fillStyle = colours.paper;
    paint.fillRect(0, 0, gutter - 4, height);
    for (const lane of shownLanes) {
      const y = lane.top - scroll;
      paint.fillStyle = colours.line;
      paint.fillRect(0, y - LANE_GAP / 2 - 0.5, width, 1);
      paint.fillStyle = colours.ink;
      paint.fillText(lane.name, 8, y + ROW / 2);
      paint.fillStyle = colours.faint;
      lane.about.forEach((text, index) => paint.fillText(shortened(text, gutter - 16), 8, y + ROW * (1.5 + index)));
    }
  }

  function shortened(text, room) {
    const count = Math.floor(room / 5.7);
    return text.length <= count ? text : count < 4 ? "" : `${text.slice(0, count - 1)}…`;
  }

  /** Index of the first span of a row that ends after a time; a row's spans do not overlap. */
  function firstAfter(row, time) {
    let [low, high] = [0, row.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].end > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function drawRow(row, y, high) {
    let index = firstAfter(row, view.from);
    while (index < row.length && row[index].start < view.to) {
      const span = row[index];
      if (x(span.end) - x(span.start) >= TINY) {
        drawSpan(span, y, high);
        index += 1;
      } else index = drawCluster(row, index, y, high);
    }
  }

  function drawSpan(span, y, high) {
    const left = Math.max(x(span.start), gutter - 4);
    const right = Math.min(x(span.end), width);
    paint.fillStyle = colourOf(span);
    if (kinds[span.kind].isRequest) {
      // Pale until the response begins, or to the end if there was none.
      const answered = span.answered ? Math.max(x(span.start + span.answered), left) : right;
      paint.globalAlpha = 0.36;
      paint.fillRect(left, y + 1, right - left, high - 2);
      paint.globalAlpha = 1;
      paint.fillRect(Math.min(answered, right), y + 1, Math.max(right - answered, 0), high - 2);
    } else {
      paint.fillRect(left, y + 1, Math.max(right - left - 0.5, 1), high - 2);
    }
    const text = shortened(span.label, right - left - 8);
    if (text && right - left > 30) {
      const pale = kinds[span.kind].isRequest || kinds[span.kind].name === "wait";
      paint.fillStyle = pale ? colours.ink : inkOn(colourOf(span));
      paint.fillText(text, left + 4, y + high / 2 + 0.5);
    }
  }

  /**
   * Spans that are too narrow to be drawn alone: a few pixels in the color of most of them, paler
   * the less they fill.
   */
  function drawCluster(row, index, y, high) {
    const left = x(row[index].start);
    const spent = new Map();
    let [edge, sum] = [left, 0];
    while (index < row.length) {
      const span = row[index];
      const right = x(span.end);
      if (x(span.start) > left + CLUSTER || right - x(span.start) >= TINY) break;
      const length = span.end - span.start + 0.5;
      spent.set(colourOf(span), (spent.get(colourOf(span)) || 0) + length);
      [edge, sum] = [right, sum + length];
      index += 1;
    }
    const [colour] = [...spent].sort((a, b) => b[1] - a[1])[0];
    const covered = Math.max(edge - left, 1);
    const filled = (sum * (width - gutter)) / (view.to - view.from) / covered;
    paint.globalAlpha = Math.min(1, 0.3 + 0.7 * filled);
    paint.fillStyle = colour;
    paint.fillRect(left, y + 1, covered, high - 2);
    paint.globalAlpha = 1;
    return index;
  }

  function drawMarked(scroll) {
    for (const span of new Set([hovered, selected])) {
      if (!span || !isShown(span)) continue;
      const y = yOf(span) - scroll;
      const [left, right] = [x(span.start), x(span.end)];
      if (span.wanted) {
        // The time it was queued before it was sent.
        paint.fillStyle = colours.faint;
        paint.fillRect(Math.max(x(span.start - span.wanted), gutter - 4), y + span.lane.step / 2 - 1, left - Math.max(x(span.start - span.wanted), gutter - 4), 2);
      }
      paint.strokeStyle = span === selected ? colours.accent : colours.ink;
      paint.lineWidth = span === selected ? 2 : 1;
      paint.strokeRect(left - 0.5, y + 0.5, Math.max(right - left, 2), span.lane.step - 1);
    }
  }

  // ---- concurrency over the whole time

  const workKinds = new Set(["decode", "cache", "verify", "inflate", "unpack", "publish", "link", "script"]);
  const LEVEL = 20; // pixels
  const levels = [
    { name: "requests queued", colour: "faint", of: (span) => kinds[span.kind].isRequest && span.wanted && [span.start - span.wanted, span.start] },
    { name: "requests sent", colour: "packument", of: (span) => kinds[span.kind].isRequest && [span.start, span.end] },
    { name: "threads busy", colour: "unpack", of: (span) => workKinds.has(kinds[span.kind].name) && [span.start, span.end] },
  ].filter(({ of }) => everything.some(of));

  /** The average concurrency in each of `count` parts of the whole time. */
  function level(of, count) {
    const parts = new Float64Array(count + 1);
    for (const span of everything) {
      const found = of(span);
      if (!found) continue;
      const [from, to] = found.map((time) => Math.min((time / total) * count, count - 1e-6));
      const [first, last] = [Math.floor(from), Math.floor(to)];
      if (first === last) parts[first] += to - from;
      else {
        parts[first] += first + 1 - from;
        for (let part = first + 1; part < last; part += 1) parts[part] += 1;
        parts[last] += to - last;
      }
    }
    return parts;
  }

  let levelsDrawn = { width: 0, parts: [] };
  function drawOverview() {
    overview.hidden = levels.length === 0;
    const height = LEVEL * levels.length;
    const wide = fit(overview, height);
    const context = overview.getContext("2d");
    const plot = wide - gutter;
    if (levelsDrawn.width !== plot && plot > 0) levelsDrawn = { width: plot, parts: levels.map(({ of }) => level(of, Math.floor(plot / 2))) };
    context.font = paint.font;
    context.textBaseline = "middle";
    levels.forEach(({ name, colour }, index) => {
      const parts = levelsDrawn.parts[index] || [];
      const most = Math.max(...parts, 0);
      const base = LEVEL * (index + 1) - 2;
      context.fillStyle = colours[colour];
      const scale = (LEVEL - 5) / Math.max(most, 1);
      parts.forEach((part, at) => context.fillRect(gutter + at * 2, base - scale * part, 2, scale * part));
      context.fillStyle = colours.faint;
      const text = most > 0 ? `${name} ≤ ${Math.max(1, Math.round(most))}` : name;
      context.fillText(gutter < 100 ? text.slice(text.indexOf(" ") + 1) : text, 8, base - 8);
    });
    const [left, right] = [view.from, view.to].map((time) => gutter + (time / total) * plot);
    context.fillStyle = colours.paper;
    context.globalAlpha = 0.6;
    context.fillRect(gutter, 0, left - gutter, height);
    context.fillRect(right, 0, wide - right, height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    if (right - left < plot - 1) context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 2), height - 1);
  }

  // ---- moving

  function look(from, to) {
    const length = Math.min(Math.max(to - from, SHORTEST_VIEW), total);
    view.from = Math.min(Math.max(from + (to - from - length) / 2, 0), total - length);
    view.to = view.from + length;
    draw();
  }

  function zoom(factor, around = (view.from + view.to) / 2) {
    look(around - (around - view.from) * factor, around + (view.to - around) * factor);
  }

  const move = (share) => look(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));

  function select(span) {
    selected = span;
    at("detail").textContent = span ? [span.label, ...described(span)].join(" · ") : "";
    draw();
  }

  function zoomTo(span) {
    const around = Math.max((span.end - span.start) * 0.2, SHORTEST_VIEW / 2);
    look(span.start - around, span.end + around);
    reveal(span);
  }

  function reveal(span) {
    const y = yOf(span);
    if (y < frame.scrollTop + AXIS || y > frame.scrollTop + frame.clientHeight - 2 * ROW) frame.scrollTop = y - frame.clientHeight / 2;
    if (span.end < view.from || span.start > view.to) {
      const half = (view.to - view.from) / 2;
      look(span.start - half, span.start + half);
    }
    select(span);
  }

  function step(by) {
    const list = hits.filter((span) => kinds[span.kind].shown);
    if (list.length === 0) return;
    const now = list.indexOf(selected);
    reveal(list[now < 0 ? (by > 0 ? 0 : list.length - 1) : (now + by + list.length) % list.length]);
  }

  function spanAt(event) {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top + frame.scrollTop];
    const lane = shownLanes.find((lane) => py >= lane.top && py < lane.top + lane.rows.length * lane.step);
    if (!lane || px < gutter) return null;
    const row = lane.rows[Math.floor((py - lane.top) / lane.step)];
    const [time, reach] = [timeAt(px), timeAt(px + 3) - timeAt(px)];
    const near = (span) => span && span.start - reach <= time && span.end + reach >= time;
    const index = firstAfter(row, time);
    return [row[index], row[index - 1]].find(near) || null;
  }

  function showTip(event) {
    const tip = at("tip");
    tip.hidden = !hovered;
    if (!hovered) return;
    const title = document.createElement("b");
    title.append(swatch(kinds[hovered.kind].name), hovered.label || kinds[hovered.kind].name);
    const lines = described(hovered).map((text) => Object.assign(document.createElement("span"), { textContent: text }));
    tip.replaceChildren(title, ...lines);
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 12 : event.clientY + 18}px`;
  }

  function swatch(name) {
    return Object.assign(document.createElement("i"), { className: name });
  }

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, from: view.from, to: view.to, scroll: frame.scrollTop, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      drag.moved ||= Math.abs(dx) + Math.abs(dy) > 4;
      if (!drag.moved) return;
      const shift = (-dx * (drag.to - drag.from)) / (width - gutter);
      look(drag.from + shift, drag.to + shift);
      if (event.pointerType === "mouse") frame.scrollTop = drag.scroll - dy;
      hovered = null;
    } else hovered = spanAt(event);
    showTip(event);
    draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) select(spanAt(event));
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", () => {
    hovered = null;
    at("tip").hidden = true;
    draw();
  });
  canvas.addEventListener("dblclick", (event) => {
    const span = spanAt(event);
    if (span) zoomTo(span);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!event.ctrlKey && !event.metaKey && !isSideways) return;
      event.preventDefault();
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      if (isSideways) move(delta / 800);
      else zoom(Math.exp(Math.max(-60, Math.min(60, delta)) / 200), timeAt(event.clientX - canvas.getBoundingClientRect().left));
    },
    { passive: false },
  );

  const keys = {
    ArrowLeft: () => move(-0.15),
    ArrowRight: () => move(0.15),
    "+": () => zoom(0.6),
    "=": () => zoom(0.6),
    "-": () => zoom(1 / 0.6),
    0: () => look(0, total),
    n: () => step(1),
    p: () => step(-1),
    Enter: () => selected && zoomTo(selected),
    Escape: () => select(null),
    ArrowUp: () => (frame.scrollTop -= 3 * ROW),
    ArrowDown: () => (frame.scrollTop += 3 * ROW),
  };
  canvas.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === at("search")) return;
    event.preventDefault();
    at("search").focus();
  });

  function lookFrom(event) {
    const box = overview.getBoundingClientRect();
    const middle = ((event.clientX - box.left - gutter) / (box.width - gutter)) * total;
    const half = (view.to - view.from) / 2;
    look(middle - half, middle + half);
  }
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    lookFrom(event);
  });
  overview.addEventListener("pointermove", (event) => event.buttons && lookFrom(event));

  // ---- searching, and the table that follows it

  function search() {
    query = at("search").value.trim().toLowerCase();
    for (const span of everything) span.hit = !query || `${span.label}\n${span.note}\n${kinds[span.kind].name}`.toLowerCase().includes(query);
    hits = everything.filter((span) => span.hit && (query || isWork(span)));
    hits.sort((a, b) => a.start - b.start);
    const sum = hits.reduce((sum, span) => sum + span.end - span.start, 0);
    at("found").textContent = query ? `${hits.length.toLocaleString("en")} spans, ${time(sum)} in total` : "";
    fillTable();
    layOut();
  }

  function fillTable() {
    const body = at("slowest");
    if (!body) return;
    const slowest = hits.filter((span) => isWork(span) && kinds[span.kind].shown);
    slowest.sort((a, b) => b.end - b.start - (a.end - a.start));
    body.replaceChildren(...slowest.slice(0, SLOWEST).map(tableRow));
    at("slowest-title").textContent = query ? `Longest spans, of “${query}”` : "Longest spans";
  }

  function tableRow(span) {
    const name = kinds[span.kind].name;
    const button = Object.assign(document.createElement("button"), { textContent: span.label, title: "Show it among the lanes" });
    button.addEventListener("click", () => {
      zoomTo(span);
      canvas.focus({ preventScroll: true });
      at("lanes").scrollIntoView({ block: "start" });
    });
    const answered = kinds[span.kind].isRequest && span.answered ? time(span.answered) : "";
    const cells = [time(span.end - span.start), [swatch(name), ` ${name}`], [button], span.lane.name, time(span.start), answered, amount(span)];
    const row = document.createElement("tr");
    cells.forEach((content, index) => {
      const cell = document.createElement("td");
      if ([0, 4, 5, 6].includes(index)) cell.className = "n";
      cell.append(...(Array.isArray(content) ? content : [content]));
      row.append(cell);
    });
    return row;
  }

  function fillLegend() {
    for (const kind of kinds.filter((kind) => kind.seen > 0)) {
      const button = Object.assign(document.createElement("button"), { title: `${kind.about} (${kind.seen.toLocaleString("en")})` });
      button.append(swatch(kind.name), kind.name);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        kind.shown = !kind.shown;
        button.setAttribute("aria-pressed", String(kind.shown));
        fillTable();
        layOut();
      });
      at("legend").append(button);
    }
  }

  at("search").addEventListener("input", search);
  at("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      canvas.focus();
      step(1);
    }
  });
  at("closer").addEventListener("click", () => zoom(0.5));
  at("wider").addEventListener("click", () => zoom(2));
  at("whole").addEventListener("click", () => look(0, total));
  frame.addEventListener("scroll", draw);
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColours();
    draw();
  });
  if (lanes.length > 0) {
    at("lanes").hidden = false;
    readColours();
    fillLegend();
    search();
  }
})();
