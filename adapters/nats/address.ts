// Address
// The address of a NATS server, in a form that may be shown.
//
//   Owns:          telling an address from any other word; leaving out users, passwords and tokens.
//   Does not own:  connecting to the address.

/** @returns the addresses without their secrets, such as `nats://host:4222`; undefined if `text` is not an address. */
export function shownAddress(url: string): string | undefined {
  const parts = url.split(",").map((part) => part.trim());
  const shown = parts.map((part) => shownPart(part));
  return shown.some((part) => part === undefined) ? undefined : shown.join(",");
}

/** A bare word is more likely a typing error than a host. */
function shownPart(part: string): string | undefined {
  const whole = part.includes("://") ? part : /:\d+$/.test(part) ? `nats://${part}` : "";
  if (!URL.canParse(whole)) return undefined;
  const { protocol, host } = new URL(whole);
  return ["nats:", "tls:"].includes(protocol) && host !== "" ? `${protocol}//${host}` : undefined;
}
