// Asking
// A call that asks at the gate over HTTP, and what becomes of its approval.
//
//   Owns:          the call's input, reading and answering an approval by its id, passing time until it is in a state.
//   Does not own:  how each door asks (the tests).

import { toolInput } from "../../../runtime/canonical.ts";
import { at } from "../engine/json.ts";
import { type Answered, type Served, TOKEN } from "./served.ts";

export const INPUT = { command: "make deploy" };
export const HASH = toolInput(INPUT).hash;
export const ASKED = {
  session_id: "s1",
  cwd: "/home/dev/shop",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: INPUT,
};
export const STARTED = { ...ASKED, hook_event_name: "PreToolUse", tool_use_id: "t1" };

/** Lets what is under way in this process go on. */
export const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

export const shown = async (served: Served, id: string): Promise<unknown> =>
  (await served.get(`/v1/approvals/${id}`)).body;

export const decide = (served: Served, id: string, body: object): Promise<Answered> =>
  served.post(`/v1/approvals/${id}/decision`, body);

interface Reading {
  /** How long the engine holds the request. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  /** What a service says it asked; a hook says nothing. */
  readonly said?: Readonly<Record<string, string>>;
}

/** Waits for the answer as a hook does, or as a service. */
export async function answer(
  served: Served,
  id: string,
  { waitMs = 20_000, signal, said = {} }: Reading = {},
): Promise<unknown> {
  const query = new URLSearchParams({ wait: String(waitMs), ...said });
  const response = await fetch(`${served.url}/v1/approvals/${id}/answer?${query.toString()}`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
    ...(signal && { signal }),
  });
  return response.json();
}

/** Lets time pass until the approval is in the state. */
export async function until(served: Served, id: string, state: string): Promise<void> {
  while (at(await shown(served, id), "state") !== state) {
    served.clock.advance(1_000);
    await tick();
  }
}

/** Lets time pass until it is done. */
export async function passing<T>({ clock }: Served, work: Promise<T>): Promise<T> {
  while ((await Promise.race([work, tick()])) === undefined) clock.advance(50);
  return work;
}
