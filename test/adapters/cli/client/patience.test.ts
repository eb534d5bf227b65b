// Patience
// A replay whose engine goes away in the middle: it waits, and says how far it came if the engine does not come back.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Away, Client } from "../../../../adapters/cli/client.ts";
import { Contact } from "../../../../adapters/cli/replay/contact.ts";
import { Sender } from "../../../../adapters/cli/replay/send.ts";
import { textAt } from "../../../support/engine/json.ts";
import { prove } from "../../../support/oracle/oracle.ts";
import { plainly } from "../../../support/http/plainly.ts";
import { engineOf } from "../../../support/processes/processes.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";
import { recording, recordingPath } from "../../../support/sessions/recording.ts";

/** The recording lasts a second and a half: time enough to stop in the middle. */
const SLOW = "0.1";
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function answering(listener: RequestListener): Promise<Client> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return new Client(plainly(url), url, "a test");
}

const away = (): Promise<never> => Promise.reject(new Away("No engine answers.", "Start it."));

describe("an engine that goes away", () => {
  it("CONTACT-1: it does not wait for an engine that has never answered", async () => {
    const contact = new Contact(10, Infinity);
    await expect(contact.ask(away)).rejects.toThrow("No engine answers.");
  });

  it("CONTACT-1: it asks an engine that has answered again, for as long as each stall may last", async () => {
    const contact = new Contact(10, Infinity);
    await contact.ask(() => Promise.resolve());
    let asked = 0;
    let stalls = 0;
    const third = (): Promise<string> => (++asked % 3 === 0 ? Promise.resolve("here") : away());
    for (const _ of [1, 2]) expect(await contact.ask(third, () => (stalls += 1))).toBe("here");
    expect([asked, stalls]).toEqual([6, 2]);
  });

  it("CONTACT-1: if the engine stays away, the message says how far the replay came and what to do", async () => {
    const contact = new Contact(10, 0);
    await contact.ask(() => Promise.resolve());
    contact.taken = 7;
    await expect(contact.ask(away)).rejects.toMatchObject({
      message: "The engine stopped answering after 7 of 10 lines.",
      next: "Run the same command again: lines that the engine has taken already change nothing.",
      exitCode: 1,
    });
  });

  it.each([
    ["breaks off", (response: Parameters<RequestListener>[1]) => response.destroy()],
    ["answers 503", (response: Parameters<RequestListener>[1]) => response.writeHead(503).end("{}")],
  ])("SEND-1, CONTACT-1: lines it took while its answer %s are not called played before", async (_, lose) => {
    const bodies: string[] = [];
    const client = await answering((request, response) => {
      let body = "";
      request.on("data", (text: Buffer) => (body += text.toString()));
      request.on("end", () => {
        if (body !== "") bodies.push(body);
        const outcome = bodies.length === 3 ? "duplicate" : "applied";
        if (bodies.length === 2) lose(response);
        else response.end(JSON.stringify({ results: [{ outcome }] }));
      });
    });
    const contact = new Contact(2);
    const sender = new Sender(client, contact);
    const envelope = {
      specversion: "1.0",
      id: "1",
      source: "s",
      type: "t",
      subject: "a/b",
      data: {},
    } as const;
    for (const line of [1, 2]) {
      await sender.add({ envelope: { ...envelope, id: String(line) }, characters: 1, file: "f", line });
      await sender.flush();
    }
    expect(bodies[2]).toBe(bodies[1]);
    expect([sender.tally.applied, sender.tally.duplicate, contact.taken]).toEqual([2, 0, 2]);
  });
});

describe("replay to an engine that is killed", () => {
  let desk: Desk;
  beforeAll(() => build(), 180_000);
  beforeEach(() => (desk = new Desk()));
  afterEach(() => desk.clear());

  it("CONTACT-1: if the engine is killed in the middle and restarted, the replay goes on and ends as the recording proves", async () => {
    const { engine, url } = await desk.up();
    const playing = desk.start([
      "replay",
      "--url",
      url,
      "--speed",
      SLOW,
      "--json",
      recordingPath("s1-ten-allowed", "hooks.jsonl"),
    ]);
    const started = async (): Promise<boolean> => (await desk.run(["ls", "--json"])).out !== "";
    await expect.poll(started, { timeout: 20_000 }).toBe(true);
    engine.forget();
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/runs again at/);
    const { code, out, err } = await playing.ended;
    expect([code, err]).toEqual([0, ""]);
    const ends = jsonLines(out).filter((line) => textAt(line, "kind") === "call");
    const proven = prove(recording("s1-ten-allowed"), "hooks");
    expect(
      ends.map((call) => `${textAt(call, "id") ?? ""} ${textAt(call, "execution") ?? ""}`).toSorted(),
    ).toEqual(proven.map(({ toolUseId, execution }) => `${toolUseId} ${execution}`).toSorted());
  });

  it("CONTACT-1: if the engine stops for good, exit code 1: how far it came, and that the same command goes on", async () => {
    const { engine, url } = await desk.up();
    const args = ["replay", "--url", url, recordingPath("s1-ten-allowed", "hooks.jsonl")];
    const playing = desk.start([...args, "--speed", SLOW]);
    const started = async (): Promise<boolean> => (await desk.run(["ls", "--json"])).out !== "";
    await expect.poll(started, { timeout: 20_000 }).toBe(true);
    engine.child.kill("SIGTERM");
    await engine.ended;
    const { code, out, err } = await playing.ended;
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^The engine stopped answering after \d+ of \d+ lines\.\nRun the same command again: lines that the engine has taken already change nothing\.\n$/,
    );
    await desk.up("--port", new URL(url).port);
    const again = await desk.run(args);
    expect([again.code, again.out]).toEqual([0, expect.stringMatching(/10 calls: 10 completed\n$/)]);
  });
});
