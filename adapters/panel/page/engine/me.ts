// Me
// The person who uses the page, and what their token permits.
//
//   Owns:          reading that from the engine, anew after each reconnection: the token's rights may have changed.
//   Does not own:  refusing a request (the engine), which buttons are off (the views).
//
// Until the engine has answered, every action counts as permitted: the engine refuses what is not.

import type { Me, Part } from "../../../../runtime/access-token.ts";
import { approverOf } from "../../../../machines/evidence/votes.ts";
import { ask, refusalOf } from "./api.ts";
import { follow } from "./engine.ts";
import { useValue, Value } from "./value.ts";

export const me = new Value<Me | undefined>(undefined);

export function startMe(): void {
  const look = (): void => void refusalOf(ask<Me>("/v1/me").then((told) => me.set(told)));
  look();
  follow.link.subscribe(() => {
    const link = follow.link.get();
    if (link === "live" || link === "lost") look();
  });
}

/** True for a name of the person who uses the page, by whatever door. */
export const isMe = (name: string): boolean =>
  me.get() !== undefined && approverOf(name) === approverOf(me.get()?.name ?? "");

export const may = (part: Part): boolean => me.get()?.parts.includes(part) ?? true;

/** Whether the token permits a part, for a view that is drawn anew when that changes. */
export function useMay(part: Part): boolean {
  useValue(me);
  return may(part);
}
