// Here
// Recognises addresses of this machine.
//
//   Owns:          the names and numbers of the machine's loopback.
//   Does not own:  the addresses of a connection (handshake.ts), what may be sent to another machine (each adapter).
//
// HERE-1. No name is looked up at a name server. Every name except those of the loopback, and every invalid address, counts as
//     another machine.

const HERE = /^(?:localhost|::1|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})$/i;

/** Whether a URL's hostname means this machine. */
export const isHere = (hostname: string): boolean => HERE.test(hostname.replace(/^\[|\]$/g, ""));

/** True if nobody on the way can read or answer an HTTP request to this URL, because it uses TLS or stays on this machine. */
export const isUnread = ({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean =>
  protocol === "https:" || (protocol === "http:" && isHere(hostname));
