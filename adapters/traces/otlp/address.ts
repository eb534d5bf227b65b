// OTLP address
// Checks the address of a collector of spans and metrics, and reads the headers for it.
//
//   Owns:          parsing an address, reading headers from the text of a file.
//   Does not own:  sending (post), reading the file (composition).
//
// OTLP-ADDRESS-1. Outside this machine's loopback only https is used, because spans contain tools, sessions and outcomes.
// OTLP-ADDRESS-2. An address that contains a secret is refused, because process lists and logs show it. Secrets come from a file
//     of headers.

import { RefusedError } from "../../../runtime/errors/errors.ts";
import { isUnread } from "../../../runtime/line/here.ts";

export interface OtlpAddress {
  readonly traces: string;
  readonly metrics: string;
}

/**
 * @param url the collector's base address, to which `/v1/traces` and `/v1/metrics` are added.
 * @throws RefusedError BAD_OTLP_URL
 */
export function otlpAddress(url: string): OtlpAddress {
  if (!URL.canParse(url)) throw bad("The address of the collector cannot be read.");
  const address = new URL(url);
  const { protocol, username, password, search, hash, origin, pathname } = address;
  if (protocol !== "http:" && protocol !== "https:")
    throw bad("The address of the collector is not an HTTP address.");
  if (username !== "" || password !== "")
    throw bad("The address of the collector holds a name or a password.");
  if (search !== "" || hash !== "") throw bad("The address of the collector has a query or a fragment.");
  if (!isUnread(address)) throw bad("The collector is on another machine, and its address is not https.");
  const base = `${origin}${pathname.replace(/\/+$/, "")}`;
  return { traces: `${base}/v1/traces`, metrics: `${base}/v1/metrics` };
}

const bad = (why: string): RefusedError =>
  new RefusedError(
    "BAD_OTLP_URL",
    why,
    "Write the address as https://collector.example, or http://127.0.0.1:4318 on this machine; put headers that the collector needs into a file, and name it with --otlp-headers.",
    "otlp",
  );

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]{1,4096}$/;
/** Headers that only Signalbox sets, because they say how the body must be read. */
const OURS: ReadonlySet<string> = new Set(["content-type", "content-length", "host", "connection"]);
const HEADERS_MAX = 32;

/**
 * @param text one header in each line, as `name: value`.
 * @throws RefusedError BAD_OTLP_HEADERS, which repeats no text of the file.
 */
export function otlpHeaders(text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const pairs = lines.map((line, n) => {
    const at = line.indexOf(":");
    const [name, value] = [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    if (at < 1 || !NAME.test(name) || !VALUE.test(value) || OURS.has(name)) throw badHeaders(n + 1);
    return [name, value] as const;
  });
  if (pairs.length > HEADERS_MAX) throw badHeaders(HEADERS_MAX + 1);
  return Object.fromEntries(pairs);
}

const badHeaders = (line: number): RefusedError =>
  new RefusedError(
    "BAD_OTLP_HEADERS",
    `Header ${line} of the file that --otlp-headers names cannot be sent.`,
    "Write one header a line, as authorization: Bearer …; Signalbox itself sets the type of the body.",
    "otlpHeaders",
  );
