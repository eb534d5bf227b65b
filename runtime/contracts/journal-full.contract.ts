// Journal, full
// The requirements of the port Journal for a full journal.
//
//   Owns:          the tests that a full journal refuses entries as a whole (JOURNAL-ROOM-2), takes own messages by reserved
//                  room or once room was made (JOURNAL-ROOM-1, TRIMMING-6), and tells how full it is (LMDB-JOURNAL-4).
//   Does not own:  the requirements of a journal with room (journal.contract.ts), which entries a full journal may drop
//                  (pressure.test.ts).

import assert from "node:assert/strict";
import { claimsAbout } from "./contract-case.ts";
import { names, type OpenJournal } from "./open-journal.ts";

export const MAX_BYTES = 400_000;
const long = "x".repeat(10_000);
const test = claimsAbout<OpenJournal>();

async function fill({ append }: OpenJournal): Promise<number> {
  let taken = 0;
  const endless = async () => {
    for (; taken < 1_000; taken += 1) await append([long]);
  };
  await assert.rejects(endless, { code: "JOURNAL_FULL", obligation: "retry" });
  return taken;
}

const own = (open: OpenJournal, text: string, makeRoom?: () => Promise<boolean>) =>
  open.now.append(open.said([text]), { own: true, ...(makeRoom && { makeRoom }) });

const letGo = (open: OpenJournal, upTo: () => number) => async () => {
  await open.now.trim(upTo());
  return true;
};

export const FULL = [
  test("JOURNAL-ROOM-2: a full journal refuses with JOURNAL_FULL, keeps what it took, and has nothing that it refused", async (open) => {
    const taken = await fill(open);
    assert.ok(taken > 20);
    assert.deepEqual(await open.bodies(), open.said(Array.from({ length: taken }, () => long)));
    await open.restart();
    await assert.rejects(open.append([long]), { code: "JOURNAL_FULL" });
    assert.equal(open.now.tail(), taken);
    await open.now.trim(2);
    assert.deepEqual(await open.append([long]), [taken + 1]);
  }),

  test("TRIMMING-6: an own message is taken in once room was made, however many sources wait", async (open) => {
    const taken = await fill(open);
    const waiting = Array.from({ length: 5 }, () => open.append([long]).catch(() => undefined));
    // `word` is so long that a full journal must drop entries before it has room for `word`.
    const word = `own ${"y".repeat(60_000)}`;
    // Sources that wait may fill the freed room before `word` is appended. So, as in the engine, each try to make room drops more
    // entries.
    let upTo = 0;
    const [position = 0] = await own(
      open,
      word,
      letGo(open, () => (upTo += 10)),
    );
    await Promise.all(waiting);
    assert.ok(position > taken);
    assert.deepEqual(await open.bodies(position - 1, 1), open.said([word]));
  }),

  test("JOURNAL-ROOM-2: a source's message is taken in once room was made, and refused if nothing can be trimmed", async (open) => {
    const taken = await fill(open);
    let asked = 0;
    const nothing = () => {
      asked += 1;
      return Promise.resolve(false);
    };
    await assert.rejects(open.now.append(open.said([long]), { makeRoom: nothing }), { code: "JOURNAL_FULL" });
    assert.ok(asked > 0);
    assert.deepEqual(await open.now.append(open.said([long]), { makeRoom: letGo(open, () => 3) }), [
      taken + 1,
    ]);
  }),

  test("JOURNAL-ROOM-2: messages that wait for room get it in the order in which they came", async (open) => {
    const taken = await fill(open);
    let isFree = (): void => undefined;
    const free = new Promise<void>((resolve) => (isFree = resolve));
    const makeRoom = async () => {
      await free;
      return letGo(open, () => 20)();
    };
    const texts = names(5).map((text) => `${text} ${long}`);
    const first = open.now.append(open.said(texts.slice(0, 1)), { makeRoom });
    const others = texts.slice(1).map((text) => open.now.append(open.said([text]), { makeRoom }));
    isFree();
    const positions = (await Promise.all([first, ...others])).flat();
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
    assert.deepEqual(await open.bodies(taken), open.said(texts));
  }),

  test("LMDB-JOURNAL-4: a journal tells how full it is, also after a restart", async (open) => {
    assert.deepEqual(await open.now.fill(), { bytes: 0, max: MAX_BYTES });
    await open.append(names(3).map((text) => `${text} ${long}`));
    const { bytes } = await open.now.fill();
    assert.ok(bytes > 30_000 && bytes < 40_000, `${bytes} bytes`);
    const { incarnation } = await open.restart();
    assert.deepEqual(await open.now.fill(), { bytes, max: MAX_BYTES });
    await open.now.trim(2);
    assert.ok((await open.now.fill()).bytes < bytes / 2);
    await open.restart({ incarnation, position: 3 });
    assert.ok((await open.now.fill()).bytes > 10_000);
    await open.now.trim(3);
    assert.deepEqual(await open.now.fill(), { bytes: 0, max: MAX_BYTES });
  }),

  test("JOURNAL-ROOM-1: sources leave a part of the engine's own journal to own messages, which need not ask for room", async (open) => {
    if (open.disk.keepsRoom !== true) return;
    const taken = await fill(open);
    for (let n = 1; n <= 40; n += 1) assert.deepEqual(await own(open, `own ${n}`), [taken + n]);
    await open.append(["a"]);
    await assert.rejects(open.append([long]), { code: "JOURNAL_FULL" });
    await assert.rejects(
      async () => {
        for (let n = 0; n < 100; n += 1) await own(open, long);
      },
      { code: "JOURNAL_FULL" },
    );
    assert.ok((await open.now.fill()).bytes <= MAX_BYTES);
  }),
];
