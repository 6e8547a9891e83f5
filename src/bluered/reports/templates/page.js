"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  let pinned = null;

  // Light up what belongs to a relation: its row, its line in the graph, its sentences, its ends.
  const show = (row) => {
    for (const element of all(".on, .endpoint")) element.classList.remove("on", "endpoint");
    if (!row) return;
    row.classList.add("on");
    for (const edge of all(`g[data-relation="${row.id}"]`)) edge.classList.add("on");
    for (const concept of [row.dataset.head, row.dataset.tail])
      for (const node of all(`.node[data-concept="${concept}"]`)) node.classList.add("on");
    for (const id of row.dataset.sentences.split(" ").filter(Boolean)) {
      const sentence = document.getElementById(id);
      if (!sentence) continue;
      sentence.classList.add("on");
      for (const concept of [row.dataset.head, row.dataset.tail])
        for (const mention of all(`a[href="#${concept}"]`, sentence)) mention.classList.add("endpoint");
    }
  };
  const rowOf = (target) => {
    const element = target instanceof Element && target.closest("[data-relation]");
    return element ? document.getElementById(element.dataset.relation) : null;
  };
  const pin = (row) => {
    if (pinned) pinned.classList.remove("pinned");
    pinned = row === pinned ? null : row;
    if (pinned) pinned.classList.add("pinned");
    show(pinned || row);
    const first = pinned && document.getElementById(pinned.dataset.sentences.split(" ")[0]);
    if (!first) return;
    const box = first.getBoundingClientRect();
    if (box.top < 70 || box.bottom > innerHeight) first.scrollIntoView({ block: "center" });
  };
  document.addEventListener("mouseover", (event) => {
    show(rowOf(event.target) || pinned);
    const mention = event.target instanceof Element && event.target.closest("a.mention");
    for (const element of all(".same")) element.classList.remove("same");
    if (mention) for (const element of all(`a.mention[href="${mention.getAttribute("href")}"]`)) element.classList.add("same");
  });
  document.addEventListener("focusin", (event) => show(rowOf(event.target) || pinned));
  document.addEventListener("focusout", () => show(pinned));
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a, button, input")) return;
    const row = rowOf(event.target);
    if (row) pin(row);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pinned) pin(pinned);
    const row = event.target instanceof Element && event.target.matches("tbody[data-relation]") ? event.target : null;
    if (row && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); pin(row); }
  });

  // The legend switches kinds of entities on and off.
  for (const item of all(".legend li")) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(...item.childNodes);
    button.addEventListener("click", () => {
      const hidden = document.body.classList.toggle(`hide-${item.dataset.kind}`);
      button.setAttribute("aria-pressed", String(!hidden));
    });
    item.append(button);
  }

  // Tables are sorted by their headings and, when long, filtered.
  for (const table of all(".relations table")) {
    const bodies = all("tbody", table);
    if (bodies.length < 2) continue;
    all("th", table).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      const key = (body) => body.rows[0].cells[column].textContent.trim();
      button.addEventListener("click", () => {
        const up = heading.getAttribute("aria-sort") !== "ascending";
        for (const other of all("th", table)) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", up ? "ascending" : "descending");
        bodies.sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }) * (up ? 1 : -1));
        table.append(...bodies);
      });
    });
    if (bodies.length < 6) continue;
    const tools = document.createElement("div");
    const input = document.createElement("input");
    tools.className = "tools";
    input.type = "search";
    input.placeholder = "Filter relations";
    input.setAttribute("aria-label", "Filter relations");
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const body of bodies) body.hidden = !body.textContent.toLowerCase().includes(wanted);
    });
    tools.append(input);
    table.before(tools);
  }
})();
