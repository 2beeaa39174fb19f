// One sample as elements of the page. Strangers' texts only ever become text nodes.

const made = (tag, text, name) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (name) node.className = name;
  return node;
};

const within = (parent, ...children) => {
  parent.append(...children);
  return parent;
};

const linked = (text, place) => {
  const link = made("a", text);
  link.href = `#sample-${place}`;
  return link;
};

const marksOf = (sample, path) => [
  ...(sample.gold.includes(path) ? [["hit", "✓ gold"]] : []),
  ...(sample.given.includes(path) ? [["none", "given"]] : []),
  ...((sample.hard ?? []).includes(path) ? [["miss", "✗ only looks right"]] : []),
];

const ranking = (sample, answer, paths) =>
  within(
    made("ol"),
    ...answer.ranked.map((path) => {
      const marks = marksOf(sample, path).flatMap(([kind, words]) => [" ", made("strong", words, kind)]);
      return within(made("li"), made("bdi", paths[path]), ...marks);
    }),
  );

const figuresOf = (answer, recall) =>
  [
    ...(answer.recall === undefined ? [] : [`${recall} ${answer.recall.toFixed(3)}`]),
    ...(answer.mrr === undefined ? [] : [`mrr ${answer.mrr.toFixed(3)}`]),
    ...(answer.ms === undefined ? [] : [`${answer.ms.toFixed(2)} ms`]),
  ].join(" · ");

const armPanel = (sample, place, { arms, paths, recall }) => {
  const answer = sample.answers[place];
  const [kind, words] = verdict(sample, answer);
  const panel = within(made("section"), within(made("h4"), made("span", arms[place]), " ", made("span", words, kind)));
  if (!answer) return panel;
  panel.append(made("p", figuresOf(answer, recall)));
  if (answer.error) panel.append(made("p", answer.error, "error"));
  return answer.ranked.length ? within(panel, ranking(sample, answer, paths)) : panel;
};

const goldFile = (sample, place, { paths }) => {
  const path = paths[sample.gold[place]];
  const head = sample.heads?.[place];
  if (typeof head === "string") {
    return within(made("details"), within(made("summary"), made("bdi", path), ", first lines"), made("pre", head));
  }
  return within(made("p"), made("bdi", path), sample.why ? `: ${sample.why}` : "");
};

const sampleView = (sample, data, neighbours) => {
  const facts = `${sample.task} · ${sample.repo} at ${sample.commit} · ${sample.stratum}`;
  const gold = sample.gold.length ? `Gold files: ${sample.gold.length}` : "Gold: none, the repository holds no answer";
  return [
    within(made("p", undefined, "steps"), ...neighbours),
    made("h3", sample.id),
    made("p", facts),
    ...(sample.query === undefined ? [] : [made("h4", "Query"), made("pre", sample.query)]),
    made("h4", gold),
    ...sample.gold.map((_, place) => goldFile(sample, place, data)),
    ...(sample.given.length ? [made("h4", "Given"), ...sample.given.map((path) => made("p", data.paths[path]))] : []),
    made("h4", "Answers"),
    within(made("div", undefined, "arms"), ...data.arms.map((_, place) => armPanel(sample, place, data))),
  ];
};
