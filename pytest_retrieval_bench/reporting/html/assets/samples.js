// The samples of the report: what became of each, which are chosen, in which order. Nothing here touches the page.

const inflated = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const rankOfGold = (sample, answer) => answer.ranked.findIndex((path) => sample.gold.includes(path)) + 1;

// What an arm did, as a class and a sign with a word: colour is never the only sign.
const verdict = (sample, answer) => {
  if (!answer) return ["none", "· not measured"];
  if (answer.state === "not applicable") return ["none", "· not applicable"];
  if (answer.state === "failed") return ["failed", "! failed"];
  if (answer.state === "silent") return answer.right ? ["hit", "✓ silent"] : ["miss", "✗ silent"];
  if (!sample.gold.length) return ["miss", `✗ ${answer.ranked.length} files`];
  const rank = rankOfGold(sample, answer);
  return rank ? ["hit", `✓ rank ${rank}`] : ["miss", "✗ missed"];
};

// The answers that count, of one arm or, where `arm` is -1, of all.
const counted = (sample, arm) =>
  sample.answers.filter((answer, place) => answer && answer.state !== "not applicable" && [-1, place].includes(arm));

const rights = (sample, arm) => counted(sample, arm).filter((answer) => answer.right).length;

// How far the arms are from one mind: the size of the smaller party.
const disagreement = (sample) => {
  const right = rights(sample, -1);
  return Math.min(right, counted(sample, -1).length - right);
};

const OUTCOMES = {
  any: () => true,
  missed: (sample, arm) => sample.gold.length > 0 && counted(sample, arm).length > 0 && rights(sample, arm) === 0,
  hit: (sample, arm) =>
    sample.gold.length > 0 && counted(sample, arm).length > 0 && rights(sample, arm) === counted(sample, arm).length,
  disagree: (sample) => disagreement(sample) > 0,
  failed: (sample, arm) => counted(sample, arm).some((answer) => answer.state === "failed"),
  nogold: (sample) => sample.gold.length === 0,
};

const share = (sample, arm) => rights(sample, arm) / Math.max(counted(sample, arm).length, 1);

const ORDERS = {
  file: () => 0,
  task: (one, other) => (one.task > other.task) - (one.task < other.task),
  repo: (one, other) => (one.repo > other.repo) - (one.repo < other.repo),
  disagree: (one, other) => disagreement(other) - disagreement(one),
  worst: (one, other, arm) => share(one, arm) - share(other, arm),
};

// What the search looks through.
const searched = (sample, paths) =>
  [sample.id, sample.query ?? "", ...sample.gold.map((path) => paths[path])].join("\n").toLowerCase();

const chosen = (samples, { words, task, repo, arm, outcome, order }) =>
  samples
    .filter((sample) => (!task || sample.task === task) && (!repo || sample.repo === repo))
    .filter((sample) => OUTCOMES[outcome](sample, arm))
    .filter((sample) => words.every((word) => sample.searched.includes(word)))
    .sort((one, other) => ORDERS[order](one, other, arm) || one.place - other.place);
