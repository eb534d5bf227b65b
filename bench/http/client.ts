// HTTP client
// The load in a process of its own, which stays, so that it is warm from the second run on.
//
//   Owns:          taking one run after the other from its parent.
//   Does not own:  the load, the engine.

import { quantile } from "../measure.ts";
import { load } from "./load.ts";

export interface Run {
  readonly url: string;
  readonly token: string;
  readonly sessions: number;
  readonly calls: number;
}

export interface Ran {
  readonly callsPerSecond: number;
  /** Of one request, ms. */
  readonly p50Ms: number;
}

process.on("message", ({ url, token, sessions, calls }: Run) => {
  const place = {
    url,
    headers: { Authorization: `Bearer ${token}` },
    pathOf: (step: string, id: string) =>
      step === "approved" ? `/v1/approvals/${id}/decision` : "/v1/events",
  };
  void load(place, sessions, calls).then(({ callsPerSecond, tookMs }) => {
    process.send?.({ callsPerSecond, p50Ms: quantile(tookMs, 0.5) } satisfies Ran);
  });
});
