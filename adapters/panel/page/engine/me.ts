// Me
// Who looks at the page, and what their token lets them do.
//
//   Owns:          asking, again whenever the link is new: what a token opens may have changed then.
//   Does not own:  refusing (the engine), what is off for whom (the views).
//
// Until the engine has said it, all is taken to be allowed: the engine refuses what is not.

import type { Me, Part } from "../../../../runtime/access-token.ts";
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

export const may = (part: Part): boolean => me.get()?.parts.includes(part) ?? true;

/** The same, for a view that is drawn anew when it changes. */
export function useMay(part: Part): boolean {
  useValue(me);
  return may(part);
}
