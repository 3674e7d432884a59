"use strict";
// The page's only script. It reads the page and its address, and hides what a filter leaves out; it writes no markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Theme: as the system, light or dark; remembered where the browser allows it.
  const themes = ["system", "light", "dark"];
  const words = { system: "system", light: "light", dark: "dark" };
  const themeButton = byId("theme");
  const setTheme = (theme) => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    themeButton.textContent = `Theme: ${words[theme]}`;
  };
  let theme = "system";
  try {
    const kept = localStorage.getItem("review-bot-theme");
    if (themes.includes(kept)) theme = kept;
  } catch { /* no storage here: the choice lasts as long as the page */ }
  setTheme(theme);
  themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    setTheme(theme);
    try { localStorage.setItem("review-bot-theme", theme); } catch { /* see above */ }
  });
  byId("print").addEventListener("click", () => print());
  byId("controls").hidden = false;

  // Printing opens every fold, and closes again those that were closed.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
    folded = [];
  });

  // Copying the patch.
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = byId(button.getAttribute("aria-controls"));
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected: copy it with the keyboard";
      }
    });
  }

  // The target of a link may stand in a fold, or among findings that a filter hides.
  const reveal = (id) => {
    const target = byId(id);
    if (!target) return;
    if (target.closest("[hidden]")) { form.reset(); apply(); }
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    target.scrollIntoView();
  };

  const form = byId("filters");
  if (!form) {
    const show = () => reveal(location.hash.slice(1));
    addEventListener("hashchange", show);
    show();
    return;
  }

  // The findings as plain values, so that filtering reads no layout.
  const topics = [...document.querySelectorAll("section.topic")].map((element) => ({
    element,
    severity: element.dataset.severity,
    aspect: element.dataset.aspect,
    rule: element.dataset.rule,
    number: element.querySelector(".number"),
    head: null,
    items: [...element.querySelectorAll("ul.places > li")].map((item) => ({ item, file: item.dataset.file, text: null })),
  }));
  const total = topics.reduce((sum, topic) => sum + topic.items.length, 0);
  const order = ["error", "warning", "info", "hint"];
  const worded = (each, number) => `${number.toLocaleString("en")} ${each}${each === "info" || number === 1 ? "" : "s"}`;
  const count = byId("count");
  const controls = form.elements;
  const boxes = [...form.querySelectorAll("input[name=severity]")];

  const indexText = () => {
    for (const topic of topics) {
      if (topic.head !== null) return;
      topic.head = [...topic.element.children].filter((each) => each.tagName !== "UL")
        .map((each) => each.textContent).join(" ").toLowerCase();
      for (const each of topic.items) each.text = each.item.textContent.toLowerCase();
    }
  };

  const apply = () => {
    const severities = boxes.filter((box) => box.checked).map((box) => box.value);
    const aspect = controls.aspect.value;
    const rule = controls.rule.value;
    const file = controls.file.selectedIndex - 1;
    const sought = controls.words.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (sought.length) indexText();
    const shown = { error: 0, warning: 0, info: 0, hint: 0 };
    let sum = 0;
    for (const topic of topics) {
      let here = 0;
      const fits = severities.includes(topic.severity)
        && (aspect === "*" || aspect === topic.aspect) && (rule === "*" || rule === topic.rule);
      if (fits) {
        const rest = sought.filter((word) => !topic.head.includes(word));
        for (const each of topic.items) {
          const kept = (file < 0 || each.file === String(file)) && rest.every((word) => each.text.includes(word));
          if (each.item.hidden === kept) each.item.hidden = !kept;
          if (kept) here += 1;
        }
      }
      if (topic.element.hidden !== (here === 0)) topic.element.hidden = here === 0;
      const all = topic.items.length;
      const told = here && here < all ? `${here} of ${all} findings` : `${all} finding${all === 1 ? "" : "s"}`;
      if (topic.number.textContent !== told) topic.number.textContent = told;
      shown[topic.severity] += here;
      sum += here;
    }
    byId("none").hidden = sum > 0;
    const parts = order.filter((each) => shown[each]).map((each) => worded(each, shown[each]));
    const of = sum === total ? "" : `${sum.toLocaleString("en")} of `;
    const all = `${total.toLocaleString("en")} finding${total === 1 ? "" : "s"}`;
    count.textContent = `${of}${all}${parts.length ? `: ${parts.join(", ")}` : ""}`;
  };

  // The filters stand in the fragment of the address, so that a link can carry them.
  const write = () => {
    const values = new URLSearchParams();
    const severities = boxes.filter((box) => box.checked).map((box) => box.value);
    if (severities.length < boxes.length) values.set("severity", severities.join(","));
    for (const name of ["aspect", "rule", "file"]) if (controls[name].selectedIndex > 0) values.set(name, controls[name].value);
    if (controls.words.value.trim()) values.set("words", controls.words.value.trim());
    const fragment = values.toString();
    try {
      history.replaceState(null, "", fragment ? `#${fragment}` : "#findings");
    } catch { /* this address cannot be changed; the filter works all the same */ }
  };

  const choose = (select, value) => {
    const index = [...select.options].findIndex((option) => option.value === value);
    select.selectedIndex = Math.max(index, 0);
  };

  const read = () => {
    const fragment = location.hash.slice(1);
    if (!fragment.includes("=")) { apply(); reveal(fragment); return; }
    const values = new URLSearchParams(fragment);
    const severities = (values.get("severity") || "").split(",");
    for (const box of boxes) box.checked = !values.has("severity") || severities.includes(box.value);
    for (const name of ["aspect", "rule", "file"]) choose(controls[name], values.has(name) ? values.get(name) : "*");
    controls.words.value = values.get("words") || "";
    apply();
    byId("findings").scrollIntoView();
  };

  let waiting = 0;
  const soon = () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { apply(); write(); });
  };
  form.addEventListener("input", soon);
  form.addEventListener("reset", () => setTimeout(soon));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", read);
  form.hidden = false;
  read();
})();
