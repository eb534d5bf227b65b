// Figures
// What the simulation is fed with: figures that were measured, each with the command that gives it, and what is assumed.
//
//   Owns:          the figures.
//   Does not own:  measuring them (bench, the tests of the cluster), what follows from them (load, away, limits).

/** `from`: a command or a page for a measured figure; for an assumed one, why it was taken. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
  readonly from: string;
}

export const MEASURED = {
  message: {
    value: 311,
    unit: "µs",
    from: "npm run bench -- --only jetstream: a message from the journal to its published changes, 3,212 a second",
  },
  httpMessage: {
    value: 531,
    unit: "µs",
    from: "npm run bench -- --only http: the main thread's part of a call, 2,123 µs for four requests",
  },
  commit: {
    value: 1_120,
    unit: "µs",
    from: "npm run bench -- --only decision: the baseline, one append and one commit",
  },
  page: { value: 718, unit: "µs", from: "npm run bench -- --only sessions: a page of a list" },
  merged: {
    value: 570,
    unit: "µs",
    from: "npm run bench -- --only peers: a peer's page in a list costs 0.8 of a page of the engine's own",
  },
  news: { value: 76, unit: "µs", from: "npm run bench -- --only peers: a change of a peer, with 64 peers" },
  threeCopies: {
    value: 61,
    unit: "µs",
    from: "npm run bench -- --only servers: a message on three NATS servers together",
  },
  door: {
    value: 19,
    unit: "µs",
    from: "npm run bench -- --only servers: what the door of partitions adds to a message",
  },
  fresh: { value: 1_000, unit: "µs", from: "docs/decisions/0099: what the newest term costs a read" },
  election: { value: 8_000, unit: "ms", from: "docs/how-to/scale.md: 4 to 8 s to choose a leader" },
  upgrade: {
    value: 2_700,
    unit: "ms",
    from: "npx vitest run test/system/cluster/upgrade.test.ts: no engine is ready, the middle of eight",
  },
  bothKilled: { value: 14_500, unit: "ms", from: "npm run chaos:cluster: both engines killed, the middle" },
} as const satisfies Readonly<Record<string, Figure>>;

/** What the code says. */
export const FIXED = {
  silence: { value: 3_000, unit: "ms", from: "CLUSTER-SPARE-1: a spare takes over after this silence" },
  ask: { value: 500, unit: "ms", from: "decision 92: how often a spare asks" },
  list: { value: 300, unit: "ms", from: "LIST_MS: how long a list waits for peers" },
  peers: { value: 64, unit: "peers", from: "PEERS_MAX: how many peers a list may have" },
  assets: {
    value: 3,
    unit: "streams",
    from: "what an engine keeps: its journal, its changes, its large inputs",
  },
} as const satisfies Readonly<Record<string, Figure>>;

/** What nobody has measured here. */
export const ASSUMED = {
  people: { value: 10_000, unit: "people", from: "the case: one workspace" },
  calls: { value: 4_500, unit: "calls/s", from: "the case: about one call for two people each second" },
  asked: { value: 0.05, unit: "of calls", from: "how many calls ask a person: four messages instead of two" },
  runs: { value: 2_000, unit: "ms", from: "how long a call runs, in the mean" },
  answered: { value: 30_000, unit: "ms", from: "how long a person takes to answer, in the mean" },
  changes: { value: 2, unit: "changes", from: "bench/README.md: four changes in a call of two messages" },
  lists: {
    value: 20,
    unit: "lists/s",
    from: "200 people who answer, each of whose pages reads a list each 10 s",
  },
  line: { value: 1_000, unit: "µs", from: "the way from one node to another" },
  deaths: { value: 12, unit: "a year", from: "how often a node is lost" },
  repair: { value: 600_000, unit: "ms", from: "how long until a lost node is back" },
  serverDeaths: { value: 4, unit: "a year", from: "how often a NATS server is lost" },
  upgrades: { value: 26, unit: "a year", from: "how often a new version is put in" },
  cores: {
    value: 8,
    unit: "cores",
    from: "of each NATS server; nats-server#8350 asks for as many at 2,000 groups",
  },
  groups: {
    value: 2_000,
    unit: "groups",
    from: "nats-server#8350: how many replicated streams a server should have",
  },
} as const satisfies Readonly<Record<string, Figure>>;

/** The case and the figures in use. */
export type Given = {
  readonly [name in keyof typeof MEASURED | keyof typeof FIXED | keyof typeof ASSUMED]: number;
};

const valuesOf = (figures: Readonly<Record<string, Figure>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));

// The cast is safe: these are the names of the three tables.
export const GIVEN = { ...valuesOf(MEASURED), ...valuesOf(FIXED), ...valuesOf(ASSUMED) } as Given;
