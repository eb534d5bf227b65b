// Here
// Which addresses lead no further than this machine.
//
//   Owns:          the names and numbers of its loopback.
//   Does not own:  the ends of a connection (handshake.ts), what may be said elsewhere (each adapter).
//
// HERE-1. No name server is asked: whoever answers one for another name, or for a number that is none, is not believed.

const HERE = /^(?:localhost|::1|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})$/i;

/** @param hostname as a URL has it. @returns whether it means this machine. */
export const isHere = (hostname: string): boolean => HERE.test(hostname.replace(/^\[|\]$/g, ""));

/** @returns whether nobody on the way can read or answer what is asked there over HTTP: by TLS, or on this machine. */
export const isUnread = ({ protocol, hostname }: Pick<URL, "protocol" | "hostname">): boolean =>
  protocol === "https:" || (protocol === "http:" && isHere(hostname));
