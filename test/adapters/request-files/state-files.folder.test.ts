// State files: the folder
// Which folder is taken for state files, which is refused, and what becomes of it under an engine that is killed.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { readState } from "../../../adapters/request-files/format.ts";
import { MirrorFiles } from "../../../adapters/request-files/mirror-files.ts";
import { refused } from "../../support/engine/refusal.ts";
import { engineOf } from "../../support/processes/processes.ts";
import { build, Desk } from "../../support/processes/program.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const scratch = scratchEach();
let dir: string;
beforeEach(() => {
  dir = scratch();
});

const pathOf = (id: string): string => join(dir, "requests", `${id}.json`);
const stateAt = (path: string): string | undefined =>
  existsSync(path) ? readState(path, readFileSync(path, "utf8")).request.state : undefined;

describe("state files: what is refused", () => {
  const refusal = (files: MirrorFiles): Promise<string> => refused(files.prepare());

  test("S1.64: a folder in the data folder, by a link too, is refused", async () => {
    const data = join(dir, "data");
    mkdirSync(data);
    symlinkSync(data, join(dir, "link"));
    for (const inside of [data, join(data, "x", "y"), join(dir, "link", "x"), join(dir, "x", "..", "data")])
      expect(await refusal(new MirrorFiles(inside, data))).toBe("STATE_FILES_INSIDE");
    expect(readdirSync(data)).toEqual([]);
    await new MirrorFiles(join(dir, "data-beside"), data).prepare();
  });

  test("S1.64, MIRROR-FILES-2: a folder that holds somebody else's requests, or another engine's, is refused and left as it is", async () => {
    mkdirSync(join(dir, "requests"));
    writeFileSync(pathOf("mine"), "{}");
    expect(await refusal(new MirrorFiles(dir, "/data/a"))).toBe("STATE_FILES_TAKEN");
    expect(readdirSync(dir, { recursive: true, encoding: "utf8" }).sort()).toEqual([
      "requests",
      "requests/mine.json",
    ]);
    const other = join(dir, "other");
    await new MirrorFiles(other, "/data/a").prepare();
    await new MirrorFiles(other, "/data/a").prepare();
    expect(await refusal(new MirrorFiles(other, "/data/b"))).toBe("STATE_FILES_TAKEN");
    writeFileSync(join(other, "mirror.json"), '{"format":1,');
    expect(await refusal(new MirrorFiles(other, "/data/a"))).toBe("STATE_FILES_TAKEN");
  });

  test("S1.64: a folder that others can write to, one of another user and a file in its place are refused", async () => {
    const open = join(dir, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(await refusal(new MirrorFiles(open, ""))).toBe("STATE_FILES_NOT_YOURS");
    writeFileSync(join(dir, "file"), "");
    for (const at of [join(dir, "file"), join(dir, "file", "x")])
      expect(await refusal(new MirrorFiles(at, ""))).toBe("STATE_FILES_UNUSABLE");
    // Only root can give a folder away.
    if (process.getuid?.() !== 0) return;
    const theirs = join(dir, "theirs");
    mkdirSync(theirs);
    chownSync(theirs, 4242, 4242);
    expect(await refusal(new MirrorFiles(theirs, ""))).toBe("STATE_FILES_NOT_YOURS");
    expect(readdirSync(theirs)).toEqual([]);
  });
});

describe("state files: up --state-files", () => {
  beforeAll(() => build(), 180_000);

  it("S1.36: an engine that is killed goes on with the files where it was, and one told a folder of its own data ends at once", async () => {
    const desk = new Desk();
    try {
      const { engine } = await desk.up("--state-files", dir);
      const tell = async (type: string, id: string): Promise<void> => {
        await expect
          .poll(async () => (await desk.emit(type, { requestId: id })).code, { timeout: 30_000 })
          .toBe(0);
      };
      await tell("request.created", "k1");
      await expect.poll(() => stateAt(pathOf("k1")), { timeout: 10_000 }).toBe("created");
      process.kill(engineOf(engine), "SIGKILL");
      await tell("request.queued", "k1");
      await tell("request.created", "k2");
      await expect
        .poll(() => [stateAt(pathOf("k1")), stateAt(pathOf("k2"))], { timeout: 20_000 })
        .toEqual(["queued", "created"]);
      engine.child.kill("SIGTERM");
      await engine.ended;
      const inside = join(desk.dir, "data", "files");
      const refused = await desk.run(["up", "--nats", "off", "--port", "0", "--state-files", inside]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--state-files")]);
      expect(existsSync(inside)).toBe(false);
    } finally {
      await desk.clear();
    }
  });
});
