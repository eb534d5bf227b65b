// Address
// The address of a NATS server, from which user names, passwords and tokens are left out.
//
//   Owns:          telling an address from any other word.
//   Does not own:  connecting to the address.

/** @returns the addresses without their secrets, such as `nats://host:4222`; undefined if `url` is not an address. */
export function shownAddress(url: string): string | undefined {
  const parts = url.split(",").map((part) => part.trim());
  const shown = parts.map((part) => shownPart(part));
  return shown.some((part) => part === undefined) ? undefined : shown.join(",");
}

/** One address without its secrets. A bare word is no address, because it is more likely a typing error than a host. */
function shownPart(part: string): string | undefined {
  const whole = part.includes("://") ? part : /:\d+$/.test(part) ? `nats://${part}` : "";
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host } = new URL(whole);
  return ["nats:", "tls:"].includes(protocol) && host !== "" ? `${protocol}//${host}` : undefined;
}
