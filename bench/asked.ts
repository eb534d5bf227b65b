// Asked
// A long history of questions and answers, with as many different ones as agents ask.
//
//   Owns:          what was asked and answered; all from a seed.
//   Does not own:  what is measured on it.
//
// Three in ten commands come once, and so does each change of a file; the others come as often as habits do.

import type { AgentId, SessionId } from "../machines/index.ts";
import { toolInput } from "../runtime/canonical.ts";
import { keys } from "../runtime/rows/keys.ts";
import type { PastApproval } from "../runtime/rows/past-approvals.ts";
import type { Store } from "../runtime/ports.ts";

export const WORKSPACE = "bench";
/** As many as a store with 90 days of them may have in a day. */
const APART_MS = 77_760;
const START_MS = 1_800_000_000_000;
const AT_ONCE = 1_000;

type Random = () => number;

/** Numbers from 0 to 1 (a linear congruence of 48 bits). */
function randomOf(seed: number): Random {
  let state = BigInt(seed);
  return () => {
    state = (state * 0x5deece66dn + 0xbn) & 0xffffffffffffn;
    return Number(state >> 16n) / 2 ** 32;
  };
}

const NAMES = "cart login mail orders prices search stock tax users views audit pages queue jobs".split(" ");
const WORDS = "add change keep find move read send show test write first last more other state value".split(
  " ",
);
const PROGRAMS =
  "git status|git diff|git log --oneline -5|npm test|npm run lint|npx tsc --noEmit|ls -la|pwd|pytest -x|ruff check .|cargo test|cargo build".split(
    "|",
  );
const RISKY =
  "rm -rf dist|git push|git push --force|curl https://example.com/x|npm install zod|sudo ls|cat .env|kubectl apply -f x.yaml".split(
    "|",
  );

class Habits {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  /** Few of them often, many seldom. */
  of(among: readonly string[]): string {
    return among[Math.floor(this.#random() ** 2 * among.length)] ?? "";
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.of(WORDS)).join(" ");
  }

  file(): string {
    return `src/${this.of(["api", "core", "web", "shared"])}/${this.of(NAMES)}${this.of(["", "", ".test", "-page"])}.ts`;
  }

  command(): string {
    const kind = this.#random();
    if (kind < 0.3) return this.#single();
    if (kind < 0.4) return this.of(RISKY);
    if (kind < 0.75) return this.of(PROGRAMS);
    return this.of(["cat", "git diff", "npx vitest run", "wc -l", "head -40"]) + ` ${this.file()}`;
  }

  /** One that hardly comes again. */
  #single(): string {
    const n = this.number(1e6);
    switch (this.number(7)) {
      case 0:
        return `git commit -m "${this.words(6)} ${n}"`;
      case 1:
        return `grep -rn "${this.words(2)}${n}" src | head -${this.number(50)}`;
      case 2:
        return `sed -n '${n},${n + this.number(80)}p' ${this.file()}`;
      case 3:
        return `cd src/${this.of(NAMES)} && npx vitest run ${this.of(NAMES)}${n} 2>&1 | tail -${this.number(60)}`;
      case 4:
        return `python3 -c "import json; print(json.load(open('${this.of(NAMES)}${n}.json'))['${this.of(WORDS)}'])"`;
      case 5:
        return `cat > notes/${n}.md <<'EOF'\n# ${this.words(3)}\n\n${this.words(20)}\n${this.words(20)}\nEOF`;
      default:
        return `for f in src/${this.of(NAMES)}/*.ts; do echo "$f ${n}"; grep -c ${this.of(WORDS)} "$f"; done`;
    }
  }

  lines(count: number): string {
    return Array.from(
      { length: count },
      () => `  const ${this.of(WORDS)} = ${this.of(NAMES)}(${this.number(1e6)});`,
    ).join("\n");
  }

  call(folder: string): Pick<PastApproval, "tool"> & { readonly input: object } {
    const kind = this.#random();
    if (kind < 0.65) return { tool: "Bash", input: { command: this.command(), description: this.of(WORDS) } };
    const file_path = `${folder}/${this.file()}`;
    if (kind < 0.88) {
      const old_string = this.lines(3);
      return {
        tool: "Edit",
        input: { file_path, old_string, new_string: `${old_string}\n${this.lines(5)}` },
      };
    }
    if (kind < 0.96) return { tool: "Read", input: { file_path } };
    return { tool: "mcp__tracker__get", input: { id: `T-${this.number(4000)}` } };
  }
}

/** What these people allow to nobody. */
function isUnwanted(input: object): boolean {
  const text = String(Reflect.get(input, "command") ?? Reflect.get(input, "file_path") ?? "");
  return RISKY.includes(text) || /^git commit|\/jobs-page/.test(text);
}

function* askedPasts(count: number, seed = 1): Generator<PastApproval> {
  const random = randomOf(seed);
  const habits = new Habits(random);
  for (let n = 0; n < count; n += 1) {
    const cwd = `/home/team/${habits.of(["shop", "site", "tools", "docs"])}`;
    const { tool, input } = habits.call(cwd);
    const session = `s${Math.floor(n / 40)}`;
    const isDenied = isUnwanted(input);
    yield {
      ...{
        approvalId: `q${n}`,
        sessionId: session as SessionId,
        agentId: "main" as AgentId,
        isAmbiguous: false,
      },
      ...{ at: START_MS + n * APART_MS, tool, cwd, input: toolInput(input) },
      state: isDenied ? "denied" : "approved",
      by: `local:${habits.of(["ann", "bob", "cyd"])}`,
    };
  }
}

/** @returns how many different inputs, and commands, there are. */
export async function fillAsked(
  store: Store,
  count: number,
): Promise<{ readonly inputs: number; readonly commands: number; readonly singles: number }> {
  const [inputs, commands] = [new Set<string>(), new Set<string>()];
  let asked = 0;
  let writes: { readonly put: string; readonly value: string }[] = [];
  for (const past of askedPasts(count)) {
    if (past.input && "text" in past.input) {
      inputs.add(past.input.hash);
      if (past.tool === "Bash") {
        asked += 1;
        commands.add(String(Reflect.get(JSON.parse(past.input.text) as object, "command")));
      }
    }
    writes.push({
      put: keys.pastApproval(past.at, WORKSPACE, past.sessionId, past.approvalId),
      value: JSON.stringify(past),
    });
    if (writes.length === AT_ONCE) {
      await store.commit(writes);
      writes = [];
    }
  }
  await store.commit(writes);
  return { inputs: inputs.size, commands: commands.size, singles: asked };
}
