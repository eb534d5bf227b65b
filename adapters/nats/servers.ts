// Servers
// The servers that an address names, and what each server must prove before anything is sent to it.
//
//   Owns:          parsing an address; when TLS is required, and with which certificate; which servers are dialled.
//   Does not own:  making a connection, a private server (handshake.ts).
//   Decided in:    docs/decisions/0053-whose-server-it-is.md.
//
// NATS-SERVERS-1. A server outside this machine's loopback gets nothing until it has shown a certificate over TLS, issued by a
//     trusted authority to one of the hosts in the address. No option weakens this.
// NATS-SERVERS-2. A client of a server on loopback never dials another host, neither a host that the server announces, nor a host
//     that a name server returns for localhost.

import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { type ConnectionOptions, ErrorCode, NatsError } from "nats";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { isHere } from "../../runtime/line/here.ts";

/**
 * @param url as in `NatsOptions`.
 * @param given the caller's TLS options, such as a certificate authority.
 * @returns options for the nats package, with the user as well, because the package ignores a user in an address.
 * @throws RefusedError BAD_NATS_URL; BAD_OPTION for TLS options that would not check the server.
 */
export function serversAt(url: string, given?: ConnectionOptions["tls"]): ConnectionOptions {
  const addresses = url.split(",").map((part) => parse(part.trim()));
  const hosts = addresses.map(({ hostname }) => hostname.replace(/^\[|\]$/g, ""));
  const isNear = hosts.every(isHere);
  const where = {
    servers: addresses.map(({ host }) => host),
    ...userIn(addresses[0]),
    ...(isNear && { ignoreClusterUpdates: true, resolve: false }),
  };
  if (isNear && !given && !addresses.some(({ protocol }) => protocol === "tls:"))
    return given === null ? { ...where, tls: null } : where;
  if (!isNear && (given === null || (given && isUnchecked(given)))) throw badTls();
  return { ...where, tls: { ...checkedFor(hosts), ...given, ...(!isNear && { rejectUnauthorized: true }) } };
}

function userIn(address: URL | undefined): ConnectionOptions {
  const [user = "", pass = ""] = [address?.username, address?.password].map((text = "") => decoded(text));
  if (user === "") return {};
  return pass === "" ? { token: user } : { user, pass };
}

/** @param text the user or the password in an address. @throws RefusedError BAD_NATS_URL for a % that begins no character. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RefusedError(
      "BAD_NATS_URL",
      "The user or the password in the address of the NATS server has a % that encodes no character.",
      "Write such a % as %25 in the address.",
    );
  }
}

function parse(address: string): URL {
  const whole = address.includes("://") ? address : `nats://${address}`;
  if (URL.canParse(whole)) {
    const url = new URL(whole);
    if (["nats:", "tls:"].includes(url.protocol) && url.host !== "") return url;
  }
  throw new RefusedError(
    "BAD_NATS_URL",
    "The address of the NATS server cannot be read.",
    "Write the address as nats://host:4222, or nats://user:password@host:4222.",
  );
}

/** True if an option keeps TLS from checking the server. The nats package passes options to Node that its types lack. */
const isUnchecked = (given: object): boolean =>
  Reflect.get(given, "rejectUnauthorized") === false || "checkServerIdentity" in given;

/**
 * The TLS option that accepts a certificate only for one of the hosts in the address. The nats package would also accept the
 * certificates of servers that a server announces, but that announcement comes before TLS, so anybody may have made it. For an
 * address without a name, the package would check the name localhost.
 */
const checkedFor = (hosts: readonly string[]) => ({
  checkServerIdentity: (_: string, certificate: PeerCertificate): Error | undefined => {
    const errors = hosts.map((host) => checkServerIdentity(host, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  },
});

/** Matches the codes for an invalid certificate of the server, but not those for the server's refusal of our certificate. */
const CERTIFICATE = /^(?!ERR_SSL_).*(CERT|SIGNATURE|INVALID_(CA|PURPOSE)|PATH_LENGTH|HOSTNAME)/;

/** @returns the refusal if the error says that a server did not prove its identity; undefined for any other error. */
export function unproved(error: unknown, server: string): RefusedError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isPlain = error instanceof NatsError && code === (ErrorCode.ServerOptionNotAvailable as string);
  if (isPlain && error.message === "tls")
    return new RefusedError(
      "NATS_NOT_ENCRYPTED",
      `${server} offers no TLS: a server that takes its place would get the user's name and password, and everything that is sent.`,
      "Give it a certificate (docs/reference/nats.md). Only a server on 127.0.0.1 needs none; a tunnel may lead there: ssh -L 4222:127.0.0.1:4222 HOST",
    );
  if (error instanceof NatsError || !CERTIFICATE.test(code)) return undefined;
  return new RefusedError(
    "NATS_NOT_VERIFIED",
    `${server} does not prove who it is: ${error instanceof Error ? error.message : code}.`,
    "Name the host that is in its certificate. If its authority is your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
  );
}

const badTls = (): RefusedError =>
  new RefusedError(
    "BAD_OPTION",
    "nats.tls switches off the check of certificates, and this server is not on this machine.",
    "Leave the check on; for an authority of your own, give its certificate: nats: { tls: { caFile } }.",
    "nats.tls",
  );
