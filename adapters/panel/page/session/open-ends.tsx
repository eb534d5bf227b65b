// Open ends
// One sentence about what the session's agent does without asking anybody.
//
//   Owns:          reading the sentence once.
//   Does not own:  the sentence itself (the client's adapter).

import type { OpenEnds as Told } from "../../../../runtime/clients.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";

/** The engine's answer, which the page asks for once: the sentences change only with the engine, and then the page reloads. */
let asked: Promise<readonly Told[]> | undefined;

function openEnds(): Promise<readonly Told[]> {
  asked ??= ask<{ agents: readonly Told[] }>("/v1/agents").then(({ agents }) => agents);
  return asked.catch(() => {
    asked = undefined;
    return [];
  });
}

/** @param source the source of the session's messages; undefined while it is not known. */
export function OpenEnds({ source }: { readonly source: string | undefined }) {
  const all = useAsked([source], openEnds) ?? [];
  const open = all.find((each) => each.source === source)?.open ?? [];
  return open.length === 0 ? null : <p class="quiet open-ends">{open.join(" ")}</p>;
}
