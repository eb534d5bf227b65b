// Signed notes and checkpoints, held against the specification's own example and a second reader.

import { describe, expect, test } from "vitest";
import { openedCheckpoint, signedCheckpoint } from "../../../runtime/tlog/checkpoint.ts";
import { leafHash } from "../../../runtime/tlog/hashes.ts";
import { openedNote, signedNote, signerOf, verifierOf } from "../../../runtime/tlog/note.ts";
import { proofText, readProof } from "../../../runtime/tlog/proof-text.ts";
import { flips } from "../../support/faults/flips.ts";
import { readHead, readNote } from "../../support/tlog/independent.ts";

const log = signerOf(Buffer.alloc(32, 1), () => "example.com/log");
const witness = signerOf(Buffer.alloc(32, 2), () => "witness.example");
const other = signerOf(Buffer.alloc(32, 3), () => "example.com/log");
const TEXT = "one\n\ntwo\n";
const root = leafHash(Buffer.from("a"));

/** The key and the note in the documentation of golang.org/x/mod/sumdb/note. */
const GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

describe("Note", () => {
  test("TLOG-NOTE-1: a note that another program signed counts by that key, and by no other", () => {
    expect(openedNote(GO_NOTE, [verifierOf(GO_KEY)])).toBe(GO_NOTE.slice(0, GO_NOTE.lastIndexOf("\n\n") + 1));
    expect(() => openedNote(GO_NOTE, [log])).toThrow("no known key");
  });

  test("TLOG-NOTE-1: what is signed here convinces another reader", () => {
    expect(readNote(signedNote(TEXT, log), log.text)).toBe(TEXT);
    expect(openedNote(signedNote(TEXT, log), [verifierOf(log.text)])).toBe(TEXT);
  });

  test("TLOG-NOTE-1: a note with any bit flipped does not count", () => {
    for (const flipped of flips(signedNote(TEXT, log))) expect(() => openedNote(flipped, [log])).toThrow();
  });

  test("TLOG-NOTE-1: where one of the known keys that are named did not sign, the note does not count", () => {
    const [, forged = ""] = signedNote("another\n", witness).split("\n\n");
    expect(() => openedNote(signedNote(TEXT, log) + forged, [log, witness])).toThrow(
      "witness.example is wrong",
    );
  });

  test("TLOG-NOTE-2: signatures of others beside the log's are passed over, and count for who knows them", () => {
    const cosigned = signedNote(TEXT, log) + (signedNote(TEXT, witness).split("\n\n").at(-1) ?? "");
    expect(openedNote(cosigned, [log])).toBe(TEXT);
    expect(openedNote(cosigned, [witness])).toBe(TEXT);
    expect(readNote(cosigned, witness.text)).toBe(TEXT);
  });

  test("TLOG-NOTE-2: a key of the same name and another id is another key", () => {
    expect(() => openedNote(signedNote(TEXT, other), [log])).toThrow("no known key");
  });

  test("TLOG-NOTE-1: a key that was altered is no key", () => {
    for (const text of [GO_KEY.replace("c74f20a3", "c74f20a4"), GO_KEY.slice(0, -2), "", "a+b+c"])
      expect(() => verifierOf(text)).toThrow("is not the key of a log");
  });
});

describe("Checkpoint", () => {
  test("TLOG-CHECKPOINT-1: it says what was signed, to another reader, too", () => {
    const note = signedCheckpoint(70_000, root, log);
    expect(openedCheckpoint(note, verifierOf(log.text))).toEqual({
      origin: "example.com/log",
      size: 70_000,
      root,
    });
    expect(readHead(note, log.text)).toEqual({ size: 70_000, root });
  });

  test("TLOG-CHECKPOINT-1: a signed text that spells a number or a name otherwise is none", () => {
    const coded = root.toString("base64");
    const texts = [
      `example.com/log\n007\n${coded}\n`,
      `example.com/other\n7\n${coded}\n`,
      `example.com/log\n7\nAAAA\n`,
    ];
    for (const text of texts)
      expect(() => openedCheckpoint(signedNote(text, log), log)).toThrow("no checkpoint");
  });
});

test("TLOG-PROOF-TEXT-1: a proof is read as it was written", () => {
  const proof = {
    extra: '{"a":1}',
    index: 7,
    proof: [root, leafHash(root)],
    checkpoint: signedCheckpoint(9, root, log),
  };
  expect(readProof(proofText(proof))).toEqual(proof);
  expect(() => readProof(proofText(proof).replace("index 7", "index 07"))).toThrow("not a proof");
});
