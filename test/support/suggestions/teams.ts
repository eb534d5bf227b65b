// Teams
// Simulated teams: people, projects and weeks of questions, and who would answer each how.
//
//   Owns:          what agents ask for, and each person's mind; all from a seed.
//   Does not own:  the search for rules: nothing of it is used here, nor is the table of risks.

import type { Past } from "./history.ts";
import { START_MS } from "./history.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Numbers between 0 and 1 from a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

interface Person {
  readonly name: string;
  /** True for what they would not have run. */
  readonly denies: (call: Call) => boolean;
}

const DANGEROUS =
  /\brm\b|push|--force|reset --hard|publish|deploy|curl|wget|sudo|\.env|secret|\/etc\/|id_rsa|kubectl (?:apply|delete)|terraform|docker (?:run|push)|drop table|chmod|\bkill\b|\.github\//i;
const textOf = ({ input }: Call): string => input["command"] ?? input["file_path"] ?? "";

const PEOPLE: readonly Person[] = [
  { name: "local:ann", denies: (call) => DANGEROUS.test(textOf(call)) },
  // Wants to add packages and commit alone.
  {
    name: "local:bob",
    denies: (call) => DANGEROUS.test(textOf(call)) || /install|git commit/.test(textOf(call)),
  },
  // Leaves generated files and migrations to nobody.
  {
    name: "local:cyd",
    denies: (call) => DANGEROUS.test(textOf(call)) || /migrations|generated/.test(textOf(call)),
  },
  {
    name: "local:dee",
    denies: (call) => DANGEROUS.test(textOf(call)) || /stash|checkout/.test(textOf(call)),
  },
];

type Random = () => number;
type Habit = readonly [weight: number, make: (random: Random, folder: string) => Call];

const pick = <T>(random: Random, among: readonly [T, ...T[]]): T =>
  among[Math.floor(random() * among.length)] ?? among[0];

const MODULES = [
  "cart",
  "login",
  "mail",
  "orders",
  "prices",
  "search",
  "stock",
  "tax",
  "users",
  "views",
] as const;
const AREAS = ["api", "core", "web"] as const;
/** Few are worked on much, many a little. */
const moduleOf = (random: Random): string => MODULES[Math.floor(random() ** 2 * MODULES.length)] ?? "cart";

const run = (command: string): Call => ({ tool: "Bash", input: { command } });
const fixed = (weight: number, ...commands: readonly [string, ...string[]]): Habit => [
  weight,
  (random) => run(pick(random, commands)),
];

const COMMON: readonly Habit[] = [
  fixed(12, "git status", "git diff", "git status --short"),
  fixed(5, "git log --oneline -5", "git log -3", "git branch"),
  fixed(4, "ls", "ls -la", "pwd", "ls src"),
  [4, (random) => run(`cat src/${pick(random, AREAS)}/${moduleOf(random)}.ts`)],
  [3, (random) => run(`git diff src/${pick(random, AREAS)}/${moduleOf(random)}.ts`)],
  [3, (random) => run(`grep -n ${moduleOf(random)} src/${pick(random, AREAS)}/${moduleOf(random)}.ts`)],
  [3, (random) => run(`git commit -m "Change ${moduleOf(random)} ${Math.floor(random() * 1e4)}"`)],
  [2, (random) => run(`cd src && ls | head -${Math.floor(random() * 40)}`)],
  [2, (random) => run(`rm -rf ${pick(random, ["dist", "build", "src/old", "node_modules"])}`)],
  fixed(2, "git push", "git push --force", "git push origin main"),
  [1, (random) => run(`curl https://example.com/${Math.floor(random() * 1e4)}`)],
  fixed(1, "cat .env", "cat /etc/passwd", "sudo ls", "git reset --hard"),
  fixed(1, "git stash", "git checkout main", "git checkout -b try"),
  [1, (random) => run(`mkdir -p tmp/${Math.floor(random() * 1e4)}`)],
];

const edits = (random: Random, folder: string): Call => {
  const file =
    random() < 0.06
      ? pick(random, ["src/migrations/001.ts", "src/generated/api.ts", ".github/workflows/ci.yml", ".env"])
      : `src/${pick(random, AREAS)}/${moduleOf(random)}${random() < 0.25 ? ".test" : ""}.ts`;
  return {
    tool: "Edit",
    input: { file_path: `${folder}/${file}`, old_string: `a${random()}`, new_string: "b" },
  };
};

const STACKS: readonly (readonly Habit[])[] = [
  [
    fixed(16, "npm test", "npm run lint", "npx tsc --noEmit", "npm run build"),
    [7, (random) => run(`npx vitest run src/${pick(random, AREAS)}/${moduleOf(random)}.test.ts`)],
    fixed(2, "npm install", "npm install zod", "npm publish"),
    [16, edits],
  ],
  [
    fixed(16, "pytest", "pytest -x", "ruff check .", "mypy ."),
    [7, (random) => run(`pytest tests/test_${moduleOf(random)}.py`)],
    fixed(2, "pip install requests", "docker push shop", "kubectl apply -f x.yaml"),
    [16, edits],
  ],
  [
    fixed(16, "cargo test", "cargo build", "cargo clippy", "cargo fmt --check"),
    [5, (random) => run(`cargo test ${moduleOf(random)}`)],
    fixed(2, "cargo publish", "terraform apply", "make deploy"),
    [16, edits],
  ],
];

export interface Question extends Past {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly at: number;
  readonly cwd: string;
}

export interface Team {
  readonly projects: readonly string[];
  /** By week, in the order in which they came. */
  readonly weeks: readonly (readonly Question[])[];
}

export function teamOf(seed: number, weeks = 2): Team {
  const random = randomOf(seed);
  const people = PEOPLE.slice(0, 2 + Math.floor(random() * 3));
  const projects = STACKS.slice(0, 1 + Math.floor(random() * 3)).map((stack, n) => ({
    folder: `/home/team/project-${n}`,
    habits: [...COMMON, ...stack],
    // Each project has people of its own.
    people: people.filter((_, at) => at % 2 === n % 2 || random() < 0.3),
  }));
  const all = Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => START_MS + (week * 7 + day) * DAY_MS).flatMap((midnight, day) =>
      day > 4
        ? []
        : projects.flatMap((project, n) => dayOf(random, midnight, project, `${week}-${day}-${n}`)),
    ),
  );
  return { projects: projects.map(({ folder }) => folder), weeks: all };
}

function dayOf(
  random: Random,
  midnight: number,
  { folder, habits, people }: { folder: string; habits: readonly Habit[]; people: readonly Person[] },
  name: string,
): readonly Question[] {
  const sum = habits.reduce((total, [weight]) => total + weight, 0);
  return (people.length > 0 ? people : PEOPLE.slice(0, 1)).flatMap((person, who) => {
    const count = 25 + Math.floor(random() * 30);
    return Array.from({ length: count }, (_, n): Question => {
      let at = random() * sum;
      const [, make] = habits.find(([weight]) => (at -= weight) < 0) ?? habits[0] ?? fixed(1, "ls");
      const call = make(random, folder);
      return {
        ...call,
        answer: person.denies(call) ? "denied" : "approved",
        by: person.name,
        session: `s-${name}-${who}-${Math.floor(n / 20)}`,
        cwd: folder,
        at: midnight + Math.floor(random() * DAY_MS),
      };
    });
  });
}
