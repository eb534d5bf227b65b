// HTTP: dismissal
// Dead letters are dismissed over HTTP, by the name of the token, and taken back.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { event, serve, type Served } from "../../support/http/served.ts";

interface Letter {
  readonly n: number;
  readonly dismissed?: { readonly by: string };
}

describe("HTTP: dismissal", () => {
  let served: Served;
  beforeEach(async () => {
    served = await serve();
    for (const type of ["nobody.knows", "nobody.knew"]) await served.post("/v1/events", event(type, {}));
  });
  afterEach(() => served.stop());

  const letters = async (): Promise<readonly Letter[]> =>
    ((await served.get("/v1/dead-letters")).body as { items: readonly Letter[] }).items;

  it("DISMISSAL-1: whoever reads the letters sees who dismissed one, by the token and not by the body", async () => {
    const { status, body } = await served.post("/v1/dead-letters/dismissal", { letters: [1] });
    expect([status, Object.keys(body as object)]).toEqual([200, ["position"]]);
    const [two, one] = await letters();
    expect(two).not.toHaveProperty("dismissed");
    expect(one).toMatchObject({ n: 1, dismissed: { by: expect.stringMatching(/./) as string } });
    const forged = await served.post("/v1/dead-letters/dismissal", { letters: [2], by: "somebody else" });
    expect(forged.status).toBe(400);
    expect((await served.post("/v1/dead-letters/dismissal", { letters: [1], back: true })).status).toBe(200);
    expect((await letters()).find(({ n }) => n === 1)).not.toHaveProperty("dismissed");
  });

  it("DISMISSAL-1: what is no list of letters, or names none that is there, is refused with what to do next", async () => {
    for (const letters of [[], ["1"], [0], "1"])
      expect((await served.post("/v1/dead-letters/dismissal", { letters })).status).toBe(400);
    expect(await served.post("/v1/dead-letters/dismissal", { letters: [99] })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: "UNKNOWN_LETTER",
          message: expect.stringMatching(/^Letter 99 could not be dismissed/) as string,
          next: "GET /v1/dead-letters lists the dead letters.",
        },
      },
    });
  });
});
