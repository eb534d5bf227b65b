// Client names
// No code names the agent's client but what is bound to it.
//
//   Owns:          the rule, what is bound to the client and why; the case of the rule.
//   Does not own:  what a client is (runtime/client-profile).

import ts from "typescript";
import type { Case } from "./case.ts";
import { isImported, complaints } from "./words.ts";
import type { Rule } from "./imports.ts";

const CLIENT = /claude[-_ ]?code/i;

/** What of the adapters is bound to the client, and by what. */
const BOUND: Readonly<Record<string, string>> = {
  "adapters/claude-code/": "it is the client's own adapter",
  "adapters/cli/": "its words speak to people who use the client; a replay reads the client's lines",
  "adapters/agent-sdk.ts": "it is for programs of the client's own kit",
  "adapters/composition/permission-side.ts": "it serves the client's permission tool",
  "adapters/composition/profiles.ts": "it is the list",
  "adapters/composition/transcript-side.ts": "it follows the client's files",
  "adapters/main.ts": "it puts in the client's hooks, and hands its lines to the replay",
  "adapters/nats/client/": "its types name the raw types, for services that are written in TypeScript",
  "adapters/panel/page/inbox/empty.tsx": "it tells a person how to connect the client",
};

const isFree = (path: string): boolean =>
  /^(machines|runtime|adapters)\//.test(path) && !Object.keys(BOUND).some((place) => path.startsWith(place));

/** Names, texts and patterns; a comment may name a client as an example. */
const wordOf = (node: ts.Node): string | undefined =>
  !ts.isSourceFile(node) && "text" in node && typeof node.text === "string" && !isImported(node)
    ? node.text
    : undefined;

const noClientNames: Rule = ({ modules }) =>
  modules
    .filter(({ path }) => isFree(path))
    .flatMap((module) =>
      complaints(module, (node) => {
        const word = wordOf(node);
        const names = word !== undefined && CLIENT.test(word);
        return names ? `names a client ("${word}"): its profile does` : undefined;
      }),
    );

export const CLIENT_CASES: readonly Case[] = [
  {
    claim: "no code names a client but its adapter, the list of profiles and what is bound to it",
    rule: noClientNames,
    kept: {
      "machines/a.ts": '// As claude-code does.\nconst names = ".claude claude.md";',
      "runtime/b.ts": 'const type = "tiny.hook";',
      "adapters/claude-code/c.ts": 'export const claudeCode = { name: "claude-code" };',
      "adapters/composition/profiles.ts": 'import { claudeCode } from "../claude-code/c.ts";',
      "adapters/composition/transcript-side.ts": 'import { lines } from "../claude-code/c.ts";',
      "test/d.test.ts": 'const route = "/v1/hooks/claude-code";',
    },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": 'const type = "claude-code.hook";' },
      "runtime/y.ts:2": { "runtime/y.ts": "\nconst claudeCode = 1;" },
      "runtime/x.ts:1": { "runtime/x.ts": "const path = `${1}/claude-code`;" },
      "machines/z.ts:1": { "machines/z.ts": "const named = /^Claude Code/;" },
      "adapters/http/z.ts:1": { "adapters/http/z.ts": 'const route = "/v1/hooks/claude-code";' },
      "adapters/composition/z.ts:1": { "adapters/composition/z.ts": 'const word = "Claude Code";' },
    },
  },
];
