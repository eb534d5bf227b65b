// backup, restore
// The commands on a real folder: under load, killed in the middle, and on another folder, as their users meet them.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bySocket } from "../../../support/http/by-socket.ts";
import { natsServerBinary } from "../../../support/nats/binary.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

const ENV = { SIGNALBOX_PASSPHRASE: "four words that hold" };
let desk: Desk;
let file: string;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  file = join(desk.dir, "a.backup");
});
afterEach(() => desk.clear());

const at = (name: string): string => join(desk.dir, name);
const backup = (...args: readonly string[]) => desk.run(["backup", file, ...args], { env: ENV });
const restore = (name: string, ...args: readonly string[]) =>
  desk.run(["restore", file, "--data", at(name), ...args], { env: ENV });

/** Several senders at once, each sending requests as fast as they are taken, until told to stop. */
class Load {
  /** The requests that were acknowledged, in order. */
  readonly taken: string[] = [];
  #isOver = false;
  readonly #senders: Promise<void>[];

  constructor(data: string, senders = 4) {
    const ask = bySocket(data);
    this.#senders = Array.from({ length: senders }, async (_, sender) => {
      for (let n = 0; !this.#isOver; n += 1) {
        const id = `r${sender}-${n}`;
        const event = {
          ...{ specversion: "1.0", id, source: "/load", type: "request.created" },
          ...{ subject: `shop/s${sender}`, data: { requestId: id, prompt: id.padEnd(2_000, "x") } },
        };
        const answer = await ask("/v1/events", { method: "POST", body: JSON.stringify(event) });
        expect(answer.status).toBe(200);
        this.taken.push(id);
      }
    });
  }

  /** @throws where a sender was refused. */
  async until(count: number): Promise<void> {
    const failed = Promise.race(this.#senders);
    while (this.taken.length < count) await Promise.race([sleep(5), failed]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#senders);
  }
}

/** A folder that an engine took in so much on, and which it left in order. */
async function filled(count: number): Promise<void> {
  const { engine } = await desk.up();
  const load = new Load(at("data"));
  await load.until(count);
  await load.end();
  engine.child.kill("SIGTERM");
  await engine.ended;
}

describe("signalbox backup", () => {
  it("BACK-UP-1, LMDB-SNAPSHOT-1, G57: under load it has all that was acknowledged before it; what is made of it differs in nothing, and its engine goes on", async () => {
    const { engine } = await desk.up();
    await desk.run(["token", "add", "anna"]);
    const load = new Load(at("data"));
    for (const [round, name] of ["one", "two", "three"].entries()) {
      await load.until(60 + 60 * round);
      const before = [...load.taken];
      const made = await backup("--json");
      expect(made.code).toBe(0);
      const [{ position, isSealed }] = jsonLines(made.out) as [{ position: number; isSealed: boolean }];
      expect([position >= before.length, isSealed]).toEqual([true, true]);
      await load.until(load.taken.length + 10);
      expect((await restore(name)).code).toBe(0);
      const verified = await desk.run(["verify", "--data", at(name)]);
      expect(verified.out).toMatch(/compared, 0 differ\.\n.*compared, 0 differ\./);
      const other = desk.start(["up", "--nats", "off", "--port", "0", "--data", at(name)]);
      await other.said(/runs at/);
      const ask = bySocket(at(name));
      for (const id of before) expect([id, (await ask(`/v1/requests/${id}`)).status]).toEqual([id, 200]);
      other.child.kill("SIGTERM");
      await other.ended;
      expect(readFileSync(join(at(name), "tokens", "anna"))).toEqual(
        readFileSync(join(at("data"), "tokens", "anna")),
      );
    }
    await load.end();
    engine.child.kill("SIGTERM");
    await engine.ended;
    const sound = await desk.run(["verify"]);
    expect([sound.code, sound.out]).toEqual([0, expect.stringMatching(/0 differ\./)]);
  }, 240_000);

  it("BACKUP-FILE-WRITER-1: killed at any time it leaves nothing that looks like a backup, and the one before as it was", async () => {
    await filled(300);
    expect((await backup()).code).toBe(0);
    const before = readFileSync(file);
    let killed = 0;
    for (let wait = 0; wait < 12; wait += 1) {
      const running = desk.start(["backup", file, "--no-key"]);
      while (!existsSync(`${file}.part`) && running.child.exitCode === null) await sleep(1);
      await sleep(wait * 2);
      running.child.kill("SIGKILL");
      await running.ended;
      if (!existsSync(`${file}.part`)) continue;
      killed += 1;
      expect(
        readFileSync(file).equals(before) || (await desk.run(["restore", file, "--check"])).code === 0,
      ).toBe(true);
      const part = await desk.run(["restore", `${file}.part`, "--data", at(`part${wait}`)]);
      expect([part.code, existsSync(at(`part${wait}`))]).toEqual([1, false]);
    }
    expect(killed).toBeGreaterThan(0);
    expect((await backup()).code).toBe(0);
    expect(readdirSync(desk.dir).filter((name) => name.includes(".backup"))).toEqual(["a.backup"]);
  }, 240_000);

  it("CLI, CLI-PASSPHRASE-1: its words say what is in it and what is not, and what to do next", async () => {
    expect(await backup()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no store.*\n.*backup FILE --data/) as string,
    });
    await filled(3);
    await desk.run(["token", "add", "anna"]);
    const sealed = await backup();
    expect(sealed.out).toMatch(/as of entry \d+: \d+ rows, \d+ entries/);
    expect(sealed.out).toMatch(
      /Encrypted with the passphrase: the token of one person.*can read everything else/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const open = await desk.run(["backup", at("b.backup")]);
    expect(open.out).toMatch(/No passphrase was given: .*NOT in the backup/);
    writeFileSync(at("pass"), "short\n");
    expect((await desk.run(["backup", file, "--passphrase-file", at("pass")])).err).toMatch(/fewer than 8/);
    expect((await desk.run(["backup", file, "--passphrase", "four words that hold"])).code).toBe(2);
    writeFileSync(at("letter"), "mine");
    expect((await desk.run(["backup", at("letter")])).err).toMatch(
      /no backup of Signalbox: it was not changed/,
    );
    expect((await desk.run(["backup", "--help"])).out).toMatch(/Example:\n {2}\$ npx signalbox backup/);
  }, 120_000);
});

describe("signalbox restore", () => {
  it("RESTORE-2: killed at any time it leaves a folder that nothing opens, or a whole one; restored again it is whole", async () => {
    await filled(300);
    expect((await backup()).code).toBe(0);
    let [half, whole] = [0, 0];
    for (let wait = 0; wait < 12; wait += 1) {
      const name = `new${wait}`;
      const running = desk.start(["restore", file, "--data", at(name)], { env: ENV });
      while (!existsSync(at(name)) && running.child.exitCode === null) await sleep(1);
      await sleep(wait * 8);
      running.child.kill("SIGKILL");
      await running.ended;
      const opened = await desk.run(["verify", "--data", at(name)]);
      if (opened.code === 0) {
        whole += 1;
        expect(opened.out).toMatch(/compared, 0 differ\.\n.*compared, 0 differ\./);
        continue;
      }
      half += 1;
      expect(opened.err).toMatch(/half restored|no store/i);
      expect((await restore(name)).code).toBe(0);
      expect((await desk.run(["verify", "--data", at(name)])).code).toBe(0);
    }
    expect([half > 0, half + whole]).toEqual([true, 12]);
  }, 300_000);

  it("CLI: its words say what is wrong with a file, a passphrase and a folder, and what to do next", async () => {
    await filled(3);
    expect((await backup()).code).toBe(0);
    expect((await restore("data")).err).toMatch(/not empty.*\nName another folder/);
    expect((await desk.run(["restore", file, "--data", at("x")])).err).toMatch(
      /none was given.*\n.*--no-key/,
    );
    const wrong = await desk.run(["restore", file, "--data", at("x")], {
      env: { SIGNALBOX_PASSPHRASE: "another one" },
    });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/does not decrypt/)]);
    expect(existsSync(at("x"))).toBe(false);
    const looked = await desk.run(["restore", file, "--check", "--json"], { env: ENV });
    expect(jsonLines(looked.out)).toEqual([expect.objectContaining({ isCheck: true, isOpened: true })]);
    expect((await restore("y", "--no-key")).out).toMatch(/No key and no tokens were restored: as you asked/);
    expect((await restore("z")).out).toMatch(/Start it: npx signalbox up --data '.*z'/);
    writeFileSync(file, readFileSync(file).subarray(0, 500));
    expect((await restore("cut")).err).toMatch(/BACKUP_CUT|ends at byte 500.*\nNothing was restored/);
    expect(existsSync(at("cut"))).toBe(false);
  }, 120_000);
});

describe("a folder with a private NATS server", () => {
  it("BACK-UP-1, NATS-SERVER-KEPT-STORE-1: while it runs the backup has the store, and says so; stopped it has the journal, too, and comes back whole", async () => {
    const env = { ...ENV, PATH: [dirname(await natsServerBinary()), process.env["PATH"]].join(delimiter) };
    const run = (...args: readonly string[]) => desk.run(args, { env });
    const up = async (name: string) => {
      const engine = desk.start(["up", "--port", "0", "--data", at(name)], { env });
      await engine.said(/runs at/);
      return engine;
    };
    const engine = await up("data");
    await desk.emit("request.created", { requestId: "r1" });
    const running = await backup();
    expect(running.out).toMatch(/journal is NOT in the backup.*private NATS server.*signalbox down/);
    expect((await restore("bare")).out).toMatch(/journal is not in this backup.*--adopt-journal/);
    const refused = await run("up", "--port", "0", "--data", at("bare"));
    expect([refused.code, refused.err + refused.out]).toEqual([
      1,
      expect.stringMatching(/not the one the store has read/),
    ]);
    await desk.emit("request.created", { requestId: "r2" });
    engine.child.kill("SIGTERM");
    await engine.ended;
    const stopped = await backup("--json");
    expect(jsonLines(stopped.out)).toEqual([
      expect.objectContaining({ journal: "private", hasJournal: true, hasKey: true }),
    ]);
    expect((await restore("whole")).code).toBe(0);
    const verified = await run("verify", "--data", at("whole"));
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringMatching(/compared, 0 differ\.\n.*compared, 0 differ\./),
    ]);
    const again = await up("whole");
    const ask = bySocket(at("whole"));
    for (const id of ["r1", "r2"]) expect((await ask(`/v1/requests/${id}`)).status).toBe(200);
    again.child.kill("SIGTERM");
    await again.ended;
    // The old folder's server may be started again: the backup let it go.
    const old = await up("data");
    old.child.kill("SIGTERM");
    await old.ended;
  }, 240_000);
});
