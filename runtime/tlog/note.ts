// Note
// Writes and reads signed notes, and the keys that sign and verify notes, as text.
//
//   Owns:          the form of a signed note and of a verifier's key (C2SP signed-note), with Ed25519 only.
//   Does not own:  the content of the note (checkpoint.ts), where a key is stored (adapters/audit-log).
//
// TLOG-NOTE-1. A note is valid only if a known key signed it, and if the signatures of all known keys that the note names are
//     valid.
// TLOG-NOTE-2. A signature by an unknown key is ignored, because others than the log may also sign the note.

import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { RefusedError } from "../errors/errors.ts";

const ED25519 = Buffer.of(1);
const ID_BYTES = 4;
const KEY_BYTES = 32;
const PRIVATE_DER = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_DER = Buffer.from("302a300506032b6570032100", "hex");
const NOTE_CHARS_MAX = 1_000_000;
const SIGNATURE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const VERIFIER = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;
// A signed text has no control character but line ends.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

export interface Verifier {
  readonly name: string;
  /** The id of the key: four bytes in hex. */
  readonly id: string;
  /** The key as text: name, id and key. */
  readonly text: string;
  isSignature(text: string | Buffer, signature: Buffer): boolean;
}

export interface Signer extends Verifier {
  sign(text: string | Buffer): Buffer;
}

/** @param seed 32 bytes. @param nameOf makes the key's name from its public half. */
export function signerOf(seed: Uint8Array, nameOf: (key: Buffer) => string): Signer {
  if (seed.length !== KEY_BYTES)
    throw new RefusedError("BAD_KEY", `The key does not have ${KEY_BYTES} bytes.`, "Put the right key back.");
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_DER, seed]), format: "der", type: "pkcs8" });
  const bytes = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(PUBLIC_DER.length);
  return { ...verifierOfKey(nameOf(bytes), bytes), sign: (text) => sign(null, Buffer.from(text), key) };
}

/** @param text a key as `Verifier.text` has it. @throws RefusedError BAD_VERIFIER */
export function verifierOf(text: string): Verifier {
  const [, name = "", id = "", coded = ""] = VERIFIER.exec(text.trim()) ?? [];
  const bytes = Buffer.from(coded, "base64");
  if (bytes.length === 1 + KEY_BYTES && bytes[0] === ED25519[0]) {
    const found = verifierOfKey(name, bytes.subarray(1));
    if (found.id === id) return found;
  }
  throw new RefusedError(
    "BAD_VERIFIER",
    "This text is not the key of a log: the key of a log is a name, eight hex digits and an Ed25519 key, joined by +.",
    "Copy the whole key, as `npx signalbox audit keys` prints it.",
  );
}

function verifierOfKey(name: string, bytes: Buffer): Verifier {
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), ED25519, bytes]), "buffer")
    .subarray(0, ID_BYTES)
    .toString("hex");
  const spki = Buffer.concat([PUBLIC_DER, bytes]);
  let key: KeyObject | undefined;
  return {
    name,
    id,
    text: `${name}+${id}+${Buffer.concat([ED25519, bytes]).toString("base64")}`,
    isSignature(text, signature) {
      key ??= createPublicKey({ key: spki, format: "der", type: "spki" });
      return verify(null, Buffer.from(text), key, signature);
    },
  };
}

/** @param text the text to sign; must end with a line end. */
export function signedNote(text: string, signer: Signer): string {
  const signature = Buffer.concat([Buffer.from(signer.id, "hex"), signer.sign(text)]);
  return `${text}\n— ${signer.name} ${signature.toString("base64")}\n`;
}

/** Checks a signed note. @returns the note's text. @throws RefusedError BAD_NOTE, NOT_SIGNED (TLOG-NOTE-1). */
export function openedNote(note: string, known: readonly Verifier[]): string {
  const end = note.lastIndexOf("\n\n") + 1;
  if (end === 0 || note.length > NOTE_CHARS_MAX || !note.endsWith("\n") || CONTROL.test(note))
    throw badNote();
  const text = note.slice(0, end);
  let signed = 0;
  for (const line of note.slice(end + 1, -1).split("\n")) {
    const [, name, coded = ""] = SIGNATURE.exec(line) ?? [];
    const bytes = Buffer.from(coded, "base64");
    if (name === undefined || bytes.length <= ID_BYTES || bytes.toString("base64") !== coded) throw badNote();
    const id = bytes.subarray(0, ID_BYTES).toString("hex");
    const verifier = known.find((each) => each.name === name && each.id === id);
    if (!verifier) continue;
    if (!verifier.isSignature(text, bytes.subarray(ID_BYTES)))
      throw notSigned(`the signature of ${name} is wrong`);
    signed += 1;
  }
  if (signed === 0) throw notSigned("no known key signed it");
  return text;
}

const badNote = (): RefusedError =>
  new RefusedError(
    "BAD_NOTE",
    "This text is not a signed note.",
    "Copy the whole note, down to its last line.",
  );

const notSigned = (why: string): RefusedError =>
  new RefusedError(
    "NOT_SIGNED",
    `The signed note is not valid: ${why}.`,
    "Use the key of the log that signed the note.",
  );
