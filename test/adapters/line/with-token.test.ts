// With token
// Where a person's token is sent, and where it is only proven.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { canUseTool } from "../../../adapters/agent-sdk.ts";
import { withToken } from "../../../adapters/line/index.ts";
import { textOf } from "../../../runtime/line/exchange.ts";
import { serve, TOKEN } from "../../support/http/served.ts";

it("WITH-TOKEN-1: an engine of this machine is shown that one knows it; whoever else has the port never hears it", async () => {
  const served = await serve();
  const heard: string[] = [];
  const squatter = createServer(({ url = "", rawHeaders }, response) => {
    heard.push(url, ...rawHeaders);
    response.end("{}");
  });
  squatter.listen(0, "127.0.0.1");
  await once(squatter, "listening");
  try {
    for (const host of ["127.0.0.1", "localhost"]) {
      const own = served.url.replace("127.0.0.1", host);
      const answer = await withToken(own, TOKEN)({ method: "GET", path: "/v1/stats" });
      expect([answer.status, await textOf(answer)]).toEqual([200, expect.stringContaining("counts")]);
      const other = `http://${host}:${(squatter.address() as AddressInfo).port}`;
      const asked = withToken(other, TOKEN)({ method: "GET", path: "/v1/stats" });
      await expect(asked).rejects.toMatchObject({ code: "NOT_PROVEN" });
    }
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join(" ")).not.toMatch(new RegExp(`${TOKEN}|stats|uthorization`));
  } finally {
    squatter.close();
    await served.stop();
  }
});

it("WITH-TOKEN-1: it goes to no other machine by plain HTTP", () => {
  for (const host of ["box.example", "192.0.2.1", "127.0.0.1.example", "[2001:db8::1]", "0.0.0.0"]) {
    expect(() => withToken(`http://${host}:4280`, "t")).toThrow(
      expect.objectContaining({ code: "NEEDS_TLS" }),
    );
    expect(() => canUseTool({ url: `http://${host}:4280`, token: "t" })).toThrow(/could read a token for/);
    expect(() => withToken(`https://${host}`, "t")).not.toThrow();
  }
});
