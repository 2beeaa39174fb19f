"use strict";
// The browser of samples. Strangers' text only ever becomes text nodes.
(() => {
  const SHOWN = 100;
  const at = (id) => document.getElementById(id);
  const made = (tag, text, name) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const within = (parent, ...children) => { parent.append(...children); return parent; };

  const inflated = async () => {
    const packed = Uint8Array.from(atob(at("data").textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const firstHit = (sample, answer) => answer.ranked.findIndex((path) => sample.gold.includes(path)) + 1;
  const right = (answer) => answer.selective_success === 1;

  // What an arm did, in a sign and a word: colour is never the only sign.
  const verdict = (sample, answer) => {
    if (!answer) return ["", "not measured"];
    if (answer.error !== undefined) return ["failed", "! failed"];
    if (answer.ranked.length === 0) return sample.gold.length ? ["miss", "– silent"] : ["hit", "✓ silent"];
    if (!sample.gold.length) return ["miss", `✗ ${answer.ranked.length} files`];
    const rank = firstHit(sample, answer);
    return rank ? ["hit", `✓ rank ${rank}`] : ["miss", "✗ missed"];
  };

  const start = (data) => {
    const { arms, paths, samples } = data;
    let limit = SHOWN;
    samples.forEach((sample, place) => {
      const answers = arms.map((arm) => sample.arms[arm]).filter(Boolean);
      sample.place = place;
      sample.rights = answers.filter(right).length;
      sample.failed = answers.some((answer) => answer.error !== undefined);
      sample.spread = answers.length ? Math.min(sample.rights, answers.length - sample.rights) : 0;
      sample.asked = answers.length;
      sample.found = [sample.id, sample.query || "", ...sample.gold.map((path) => paths[path])].join("\n").toLowerCase();
    });

    const choices = (id, values) => [...new Set(values)].sort().forEach((value) => at(id).append(new Option(value, value)));
    choices("task", samples.map((sample) => sample.task));
    choices("repo", samples.map((sample) => sample.repo));

    const outcomes = {
      "": () => true,
      disagree: (sample) => sample.spread > 0,
      missed: (sample) => sample.gold.length > 0 && sample.rights === 0,
      hit: (sample) => sample.gold.length > 0 && sample.asked > 0 && sample.rights === sample.asked,
      failed: (sample) => sample.failed,
      nogold: (sample) => sample.gold.length === 0,
    };
    const text = (name) => (one, other) => (one[name] < other[name] ? -1 : one[name] > other[name] ? 1 : one.place - other.place);
    const orders = {
      file: (one, other) => one.place - other.place,
      task: text("task"),
      repo: text("repo"),
      disagree: (one, other) => other.spread - one.spread || one.place - other.place,
      worst: (one, other) => one.rights - other.rights || one.place - other.place,
    };

    const chosen = () => {
      const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
      const [task, repo] = [at("task").value, at("repo").value];
      return samples
        .filter((sample) => (!task || sample.task === task) && (!repo || sample.repo === repo))
        .filter(outcomes[at("outcome").value])
        .filter((sample) => words.every((word) => sample.found.includes(word)))
        .sort(orders[at("order").value]);
    };

    const marked = (sample, path) => {
      const signs = [];
      if (sample.gold.includes(path)) signs.push("✓ gold");
      if (sample.given.includes(path)) signs.push("given");
      if ((sample.hard || []).includes(path)) signs.push("✗ only looks right");
      return signs.join(", ");
    };

    const armPanel = (sample, arm) => {
      const answer = sample.arms[arm];
      const [name, words] = verdict(sample, answer);
      const panel = within(made("section"), within(made("h4", `${arm}: `), made("span", words, name)));
      if (!answer) return panel;
      if (answer.error !== undefined) panel.append(made("p", answer.error));
      const listed = made("ol");
      answer.ranked.forEach((path) => {
        const sign = marked(sample, path);
        const item = made("li", paths[path]);
        if (sign) item.append(" ", made("strong", `(${sign})`, sign.startsWith("✓") ? "hit" : "miss"));
        listed.append(item);
      });
      if (answer.ranked.length) panel.append(listed);
      if (answer.wall_ms !== undefined) panel.append(made("p", `${answer.wall_ms.toFixed(2)} ms`));
      return panel;
    };

    const show = (sample, row) => {
      document.querySelectorAll("#list tr[aria-selected]").forEach((other) => other.removeAttribute("aria-selected"));
      row.setAttribute("aria-selected", "true");
      const article = at("sample");
      article.replaceChildren(made("h3", sample.id), made("p", `${sample.task} · ${sample.repo} at ${sample.commit.slice(0, 12)} · ${sample.stratum.replaceAll("_", " ")}`));
      if (sample.query !== undefined) article.append(made("h4", "Query"), made("pre", sample.query));
      article.append(made("h4", sample.gold.length ? `Gold, ${sample.gold.length}` : "Gold: none, the repository holds no answer"));
      sample.gold.forEach((path) => {
        const head = (sample.heads || {})[path];
        if (head === undefined) { article.append(made("p", paths[path])); return; }
        const words = head === null ? `${paths[path]}: ${sample.why || "not in the snapshot"}` : paths[path];
        article.append(head === null ? made("p", words) : within(made("details"), made("summary", `${words}, its first lines`), made("pre", head)));
      });
      if (sample.given.length) article.append(made("p", `Given: ${sample.given.map((path) => paths[path]).join(", ")}`));
      article.append(made("h4", "Answers"), within(made("div", undefined, "arms"), ...arms.map((arm) => armPanel(sample, arm))));
      article.focus({ preventScroll: true });
      article.scrollIntoView({ block: "start" });
    };

    const row = (sample) => {
      const line = made("tr");
      const button = made("button", sample.id, "row");
      button.type = "button";
      button.addEventListener("click", () => show(sample, line));
      const name = within(made("th", undefined, "name"), button);
      name.scope = "row";
      line.append(name, made("td", sample.task, "name"), made("td", sample.repo, "name"));
      arms.forEach((arm) => {
        const [kind, words] = verdict(sample, sample.arms[arm]);
        line.append(within(made("td"), made("span", words, kind)));
      });
      return line;
    };

    const draw = () => {
      const found = chosen();
      const head = within(made("tr"), ...["sample", "task", "repository", ...arms].map((cell, place) => {
        const th = made("th", cell, place < 3 ? "name" : "");
        th.scope = "col";
        return th;
      }));
      const body = within(made("tbody"), ...found.slice(0, limit).map(row));
      at("list").replaceChildren(within(made("table"), within(made("thead"), head), body));
      at("count").textContent = `${found.length} of ${samples.length} samples`;
      const more = made("button", `Show ${found.length - limit} more`);
      more.type = "button";
      more.addEventListener("click", () => { limit = Infinity; draw(); });
      at("more").replaceChildren(...(found.length > limit ? [more] : []));
    };

    at("filters").hidden = false;
    at("filters").addEventListener("submit", (event) => event.preventDefault());
    at("filters").addEventListener("input", () => { limit = SHOWN; draw(); });
    draw();
    document.documentElement.dataset.ready = "true";
  };

  inflated().then(start, (error) => { at("count").textContent = `The samples cannot be shown: ${error.message}`; });
})();
