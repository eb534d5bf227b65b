// Me
// Who uses the page, and which actions that person's token permits.
//
//   Owns:          asking the engine who uses the page, again after each reconnection, as rights may have changed; signing out.
//   Does not own:  refusing a request (the engine), which buttons a missing right turns off (the views).
//
// Until the engine has said what the person may do, the page treats every action as permitted; the engine refuses forbidden
// ones.

import type { Me, Part } from "../../../../runtime/access-token.ts";
import { approverOf } from "../../../../machines/evidence/votes.ts";
import { ask, refusalOf, send } from "./api.ts";
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

/** True for a name of the person who uses the page; the door at the beginning of a name, such as `http:`, does not count. */
export const isMe = (name: string): boolean =>
  me.get() !== undefined && approverOf(name) === approverOf(me.get()?.name ?? "");

export const may = (part: Part): boolean => me.get()?.parts.includes(part) ?? true;

/** As `may`, but the view is redrawn when the permission changes. */
export function useMay(part: Part): boolean {
  useValue(me);
  return may(part);
}

/** Ends this browser's sign-in, and opens the start page anew. */
export function signOut(): void {
  const leave = (): void => location.replace("/");
  send("/v1/sign-out", {}).then(leave, leave);
}
