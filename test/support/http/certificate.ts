// Certificate
// A key and a self-signed certificate, made on the spot: tests need no files and no program for it.
//
//   Owns:          the few fields that a TLS client looks at (RFC 5280), written as DER.
//   Does not own:  TLS.

import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length.toString(16);
  const bytes = Buffer.from(size.length % 2 === 0 ? size : `0${size}`, "hex");
  const length = body.length < 0x80 ? bytes : Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
  return Buffer.concat([Buffer.of(tag), length, body]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
const octets = (body: Buffer): Buffer => der(0x04, body);
const bits = (body: Buffer): Buffer => der(0x03, Buffer.of(0), body);

/** Browsers accept no certificate signed with Ed25519. */
const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = oid("550403");
const ALT_NAME = oid("551d11");
const DAY_MS = 86_400_000;

/** As the certificate names it: by its four bytes, or as a DNS name. */
const altName = (host: string): Buffer =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));

/** @param name the host that the certificate is for. @returns both as PEM. */
export function certificateFor(name: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_SHA256,
    subject,
    sequence(time(new Date(now - DAY_MS)), time(new Date(now + DAY_MS))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(ALT_NAME, octets(sequence(altName(name)))))),
  );
  const whole = sequence(body, ECDSA_SHA256, bits(sign("sha256", body, privateKey)));
  // A line break only between lines: an empty line before the end makes the PEM unreadable.
  const lines = whole.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
