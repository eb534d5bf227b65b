// Over TCP, given up
// A request whose caller gives up while its connection is being opened.

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { type Dialled, overDialled } from "../../../adapters/line/index.ts";

it("OVER-TCP-6: a request that is given up does not wait for a connection, and one that opens later is closed", async () => {
  const socket = new PassThrough();
  let open: (dialled: Dialled) => void = () => undefined;
  let told: AbortSignal | undefined;
  const dial = (signal?: AbortSignal): Promise<Dialled> => {
    told = signal;
    return new Promise((resolve) => (open = resolve));
  };
  const late = new AbortController();
  const asked = overDialled(
    dial,
    { lineKey: "any" },
    "laptop",
  )({
    method: "GET",
    path: "/v1/stats",
    signal: late.signal,
  });
  late.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(told).toBe(late.signal);
  open({ socket, host: "127.0.0.1:1", differs: () => undefined });
  await once(socket, "close");
});
