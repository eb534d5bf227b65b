// With token
// Where a person's token is sent, and where it is only proven.

import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { canUseTool } from "../../../adapters/agent-sdk.ts";
import { withToken } from "../../../adapters/line/index.ts";
import { textOf } from "../../../runtime/line/exchange.ts";
import { certificateFor } from "../../support/http/certificate.ts";
import { keyedEngine } from "../../support/http/keyed-engine.ts";
import { serve, TOKEN } from "../../support/http/served.ts";

afterEach(() => void vi.unstubAllEnvs());

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

it("WITH-TOKEN-2: reads by https share a connection, and are sent again if it was closed; each change has its own", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const sockets: Socket[] = [];
  const got: string[] = [];
  let isClosing = false;
  const server = createTlsServer(certificateFor("box.example"), ({ method, socket, headers }, response) => {
    got.push(`${method} ${headers.authorization}`);
    if (isClosing && sockets.includes(socket)) return void socket.destroy();
    if (!sockets.includes(socket)) sockets.push(socket);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const exchange = withToken(`https://localhost:${(server.address() as AddressInfo).port}`, TOKEN);
  const ask = async (method: "GET" | "POST"): Promise<string> =>
    textOf(await exchange({ method, path: "/v1/stats" }));
  for (let n = 0; n < 3; n += 1) await ask("GET");
  expect(sockets).toHaveLength(1);
  for (let n = 0; n < 2; n += 1) await ask("POST");
  expect(sockets).toHaveLength(3);
  isClosing = true;
  expect(await ask("GET")).toBe("{}");
  expect(sockets).toHaveLength(4);
  expect(new Set(got)).toEqual(new Set([`GET Bearer ${TOKEN}`, `POST Bearer ${TOKEN}`]));
  server.closeAllConnections();
  server.close();
});

it("OVER-TCP-5, OVER-TCP-1: requests with a token share a connection, each after a greeting, and survive its end", async () => {
  const [sockets, got]: [Socket[], string[]] = [[], []];
  const engine = keyedEngine(TOKEN, (said) => said);
  const server = createServer((request, response) => {
    got.push(`${request.method} ${new URL(request.url ?? "", "http://engine").pathname}`);
    engine(request, response);
  });
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const exchange = withToken(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, TOKEN);
  const ask = async (method: "GET" | "POST"): Promise<string> =>
    textOf(await exchange({ method, path: "/v1/x" }));
  for (const method of ["GET", "POST", "GET"] as const) await ask(method);
  expect(sockets).toHaveLength(1);
  const greeting = "GET /v1/handshake";
  expect(got).toEqual([greeting, "GET /v1/x", greeting, "POST /v1/x", greeting, "GET /v1/x"]);
  for (const socket of sockets) socket.destroy();
  for (const method of ["POST", "GET"] as const) await ask(method);
  expect(sockets).toHaveLength(2);
  expect(got.filter((each) => each.startsWith("POST"))).toHaveLength(2);
  server.closeAllConnections();
  server.close();
});
