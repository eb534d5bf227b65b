// NATS key
// Seed files: made once, read with care, and bound to the private server in whose folder they lie.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ensureNatsKey, natsKeyAt } from "../../../adapters/composition/nats-key.ts";
import { keys } from "../../support/nats/keys.ts";

let base: string;
let dir: string;
let file: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-key-"));
  dir = join(base, "nats");
  file = join(dir, "user.nk");
  mkdirSync(dir, { mode: 0o700 });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = (seed: Uint8Array): string => new TextDecoder().decode(seed);

describe("a seed file", () => {
  test("SECRET-1, SECRET-2: it is made once, for its user alone, and names one key from then on", async () => {
    const made = await Promise.all([ensureNatsKey(file), ensureNatsKey(file), ensureNatsKey(file)]);
    expect(new Set(made).size).toBe(1);
    expect(made[0]).toMatch(/^U[A-Z2-7]{55}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { seed, prove } = await natsKeyAt(file);
    expect([keys.fromSeed(seed).getPublicKey(), prove]).toEqual([made[0], undefined]);
  });

  test("NATS-KEY-1: the form in which NATS' own tools write one is read as well", async () => {
    const seed = text(keys.createUser().getSeed());
    const decorated = `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n\n****\nNKEYs are sensitive.\n`;
    for (const form of [seed, `${seed}\n`, `# mine\n ${seed}\r\n`, decorated]) {
      writeFileSync(file, form, { mode: 0o600 });
      expect(text((await natsKeyAt(file)).seed)).toBe(seed);
    }
  });

  test("NATS-KEY-1: what is no user's seed is refused with what to do, and never shown", async () => {
    const seed = text(keys.createUser().getSeed());
    // Of the last character two bits mean nothing: "E" differs from "A" in one that does.
    const swapped = seed.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
    for (const wrong of [
      "nothing",
      swapped,
      seed.slice(0, -1),
      text(keys.createAccount().getSeed()),
      keys.createUser().getPublicKey(),
    ]) {
      writeFileSync(file, wrong, { mode: 0o600 });
      for (const read of [natsKeyAt, ensureNatsKey]) {
        const error: unknown = await read(file).catch((error: unknown) => error);
        expect(error).toMatchObject({
          code: "BAD_NKEY",
          next: expect.stringContaining(`rm '${file}'`) as string,
        });
        expect(String(error)).not.toContain(wrong);
      }
    }
    rmSync(file);
    await expect(natsKeyAt(file)).rejects.toMatchObject({
      code: "NO_NKEY",
      message: expect.stringContaining(file) as string,
    });
  });

  test("DATA-FOLDER-OWN-FILE-2: a link, or a file that others may write, is refused", async () => {
    await ensureNatsKey(file);
    symlinkSync(file, join(base, "link.nk"));
    await expect(natsKeyAt(join(base, "link.nk"))).rejects.toMatchObject({ code: "LINKED" });
    chmodSync(file, 0o622);
    await expect(natsKeyAt(file)).rejects.toMatchObject({ code: "OPEN_TO_OTHERS" });
  });
});

describe("the key of a private server", () => {
  beforeEach(async () => {
    await ensureNatsKey(file);
    writeFileSync(join(dir, "server.conf"), "port: 4281\n");
  });

  test("NATS-KEY-1: it says whether that server has a port; a copy elsewhere is a key like any other", async () => {
    const { prove } = await natsKeyAt(file);
    expect(prove?.(4281)).toBeUndefined();
    expect(prove).toBeDefined();
    const copy = join(base, "copy.nk");
    copyFileSync(file, copy);
    expect(await natsKeyAt(copy)).toEqual({
      seed: new TextEncoder().encode(readFileSync(file, "utf8").trim()),
    });
  });

  test.each([0o750, 0o705, 0o770, 0o701])(
    "NATS-KEY-2, DATA-FOLDER-OWNERSHIP-4: a folder of mode %o proves nothing: it is refused with the command that closes it",
    async (mode) => {
      chmodSync(dir, mode);
      await expect(natsKeyAt(file)).rejects.toMatchObject({
        code: "OPEN_TO_OTHERS",
        next: expect.stringContaining(`chmod 700 '${dir}'`) as string,
      });
    },
  );

  test("NATS-KEY-2, DATA-FOLDER-OWNERSHIP-4: nor does one below a folder that others may write; a link counts as where it leads", async () => {
    chmodSync(base, 0o777);
    await expect(natsKeyAt(file)).rejects.toMatchObject({
      code: "OPEN_TO_OTHERS",
      next: expect.stringContaining(`'${base}'`) as string,
    });
    chmodSync(base, 0o700);
    symlinkSync(dir, join(base, "other"));
    const linked = join(base, "other", "user.nk");
    await natsKeyAt(linked);
    chmodSync(dir, 0o770);
    await expect(natsKeyAt(linked)).rejects.toMatchObject({ code: "OPEN_TO_OTHERS" });
  });
});
