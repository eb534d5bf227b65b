// With token
// Where a person's token is sent, and where it is not.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { canUseTool } from "../../../adapters/agent-sdk.ts";
import { withToken } from "../../../adapters/line/index.ts";
import { textOf } from "../../../runtime/line/exchange.ts";

it("WITH-TOKEN-1: it goes to this machine by its own names, and to no other by plain HTTP", async () => {
  const server = createServer(({ headers }, response) => response.end(headers.authorization));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const host of ["127.0.0.1", "localhost"]) {
    const answer = await withToken(`http://${host}:${port}`, "t")({ method: "GET", path: "/" });
    expect(await textOf(answer)).toBe("Bearer t");
  }
  server.close();
  for (const host of ["box.example", "192.0.2.1", "127.0.0.1.example", "[2001:db8::1]", "0.0.0.0"]) {
    expect(() => withToken(`http://${host}:4280`, "t")).toThrow(
      expect.objectContaining({ code: "NEEDS_TLS" }),
    );
    expect(() => canUseTool({ url: `http://${host}:4280`, token: "t" })).toThrow(/could be read on the way/);
    expect(() => withToken(`https://${host}`, "t")).not.toThrow();
  }
});
