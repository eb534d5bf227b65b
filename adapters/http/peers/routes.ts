// Routes
// The routes that also cover the engine's peers. They come before the engine's own routes of the same paths.
//
//   Owns:          putting them together.
//   Does not own:  what each answers (lists, found).

import type { Hono } from "hono";
import type { Peers } from "../../../runtime/peers/peers.ts";
import type { Env, Serving } from "../context.ts";
import { peerFound } from "./found.ts";
import { peerLists } from "./lists.ts";

export function peerRoutes(app: Hono<Env>, serving: Serving, peers: Peers | undefined): void {
  if (!peers || peers.all.length === 0) return;
  peerFound(app, serving, peers);
  peerLists(app, serving, peers);
}
