// Open ends
// What the agent of a session lets run without an answer, in its one sentence.
//
//   Owns:          asking for it once.
//   Does not own:  the sentence (the client's adapter).

import type { OpenEnds as Told } from "../../../../runtime/clients.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";

/** They change with the engine, and the page is then loaded anew by its stream. */
let asked: Promise<readonly Told[]> | undefined;

function openEnds(): Promise<readonly Told[]> {
  asked ??= ask<{ agents: readonly Told[] }>("/v1/agents").then(({ agents }) => agents);
  return asked.catch(() => {
    asked = undefined;
    return [];
  });
}

/** @param source of the session; undefined while it is not known. */
export function OpenEnds({ source }: { readonly source: string | undefined }) {
  const all = useAsked([source], openEnds) ?? [];
  const open = all.find((each) => each.source === source)?.open ?? [];
  return open.length === 0 ? null : <p class="quiet open-ends">{open.join(" ")}</p>;
}
