// The browser of samples: filters, the list, and the sample that the address names (#sample-12).

const FIRST_ROWS = 100;
const at = (id) => document.getElementById(id);

const start = (data) => {
  const { arms, samples } = data;
  let rows = FIRST_ROWS;
  let found = samples;
  samples.forEach((sample, place) => Object.assign(sample, { place, searched: searched(sample, data.paths) }));

  const offer = (id, values) => at(id).append(...values.map(([text, value]) => new Option(text, value)));
  const named = (values) => [...new Set(values)].sort().map((value) => [value, value]);
  offer("task", named(samples.map((sample) => sample.task)));
  offer("repo", named(samples.map((sample) => sample.repo)));
  offer("arm", arms.map((arm, place) => [arm, place]));

  const asked = () => ({
    words: at("search").value.toLowerCase().split(/\s+/).filter(Boolean),
    task: at("task").value,
    repo: at("repo").value,
    arm: at("arm").value === "" ? -1 : Number(at("arm").value),
    outcome: at("outcome").value,
    order: at("order").value,
  });

  const current = () => samples[Number(/^#sample-(\d+)$/.exec(location.hash)?.[1] ?? -1)];

  const row = (sample) => {
    const link = linked(sample.id, sample.place);
    if (sample === current()) link.ariaCurrent = "true";
    const name = within(made("th", undefined, "name"), link);
    name.scope = "row";
    return within(
      made("tr"),
      name,
      made("td", sample.task, "name"),
      made("td", sample.repo, "name"),
      ...sample.answers.map((answer) => {
        const [kind, words] = verdict(sample, answer);
        return within(made("td"), made("span", words, kind));
      }),
    );
  };

  const head = () => {
    const cells = ["sample", "task", "repository", ...arms].map((text, place) => {
      const cell = made("th", text, place < 3 ? "name" : "");
      cell.scope = "col";
      return cell;
    });
    return within(made("thead"), within(made("tr"), ...cells));
  };

  const list = () => {
    found = chosen(samples, asked());
    const body = within(made("tbody"), ...found.slice(0, rows).map(row));
    at("list").replaceChildren(within(made("table"), head(), body));
    at("count").textContent = `${found.length} of ${samples.length} samples`;
    const more = made("button", `Show ${found.length - rows} more`);
    more.type = "button";
    more.addEventListener("click", () => { rows = Infinity; list(); });
    at("more").replaceChildren(...(found.length > rows ? [more] : []));
  };

  const neighbours = (sample) => {
    const place = found.indexOf(sample);
    const back = made("a", "Back to the list");
    back.href = "#samples";
    const [before, after] = place < 0 ? [] : [found[place - 1], found[place + 1]];
    return [
      ...(before ? [linked("← Previous", before.place)] : []),
      ...(after ? [linked("Next →", after.place)] : []),
      back,
    ];
  };

  const show = () => {
    const sample = current();
    if (!sample) return;
    at("list").querySelector("[aria-current]")?.removeAttribute("aria-current");
    at("list").querySelector(`[href="#sample-${sample.place}"]`)?.setAttribute("aria-current", "true");
    at("sample").replaceChildren(...sampleView(sample, data, neighbours(sample)));
    at("sample").scrollIntoView();
    at("sample").focus({ preventScroll: true });
  };

  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("filters").addEventListener("input", () => { rows = FIRST_ROWS; list(); });
  addEventListener("hashchange", show);
  at("filters").hidden = false;
  list();
  show();
};

// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  document.querySelectorAll("main section > details").forEach((folded) => { folded.open = true; });
});

try {
  start(await inflated(at("data").textContent));
  document.documentElement.dataset.ready = "true";
} catch (error) {
  at("count").textContent = `The samples cannot be shown: ${error.message}`;
}
