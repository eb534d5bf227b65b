// Config
// The configuration of the private server, as text.
//
//   Owns:          every setting.
//   Does not own:  the file, the values that differ between folders.
//
// NATS-SERVER-CONFIG-1. It listens on the loopback address only, asks for the token, and has no monitoring port.

export interface Settings {
  readonly name: string;
  readonly port: number;
  readonly token: string;
  readonly storeDir: string;
  readonly pidFile: string;
  /** The version of the server that will read it. */
  readonly version: string;
}

export const HOST = "127.0.0.1";
/** A raw hook may have 8 MiB; its envelope and headers come on top. */
const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;
/** Does not limit the disk: each stream has its own limit. The server's default would depend on the free space. */
const FILE_STORE_MAX_BYTES = 1024 ** 4;
const MEMORY_STORE_MAX_BYTES = 64 * 1024 * 1024;

/** @returns the text of the file; it holds the token. */
export function configText({ name, port, token, storeDir, pidFile, version }: Settings): string {
  // The format escapes strings as JSON does.
  const text = (value: string): string => JSON.stringify(value);
  return [
    "# Written by `signalbox up` at each start.",
    `server_name: ${text(name)}`,
    `host: ${text(HOST)}`,
    `port: ${port}`,
    `authorization { token: ${text(token)} }`,
    `max_payload: ${PAYLOAD_MAX_BYTES}`,
    `pid_file: ${text(pidFile)}`,
    "jetstream {",
    `  store_dir: ${text(storeDir)}`,
    `  max_memory_store: ${MEMORY_STORE_MAX_BYTES}`,
    `  max_file_store: ${FILE_STORE_MAX_BYTES}`,
    // Older servers do not know it: they sync every minute or two, which only a power loss shows.
    ...(isAtLeast(version, 2, 10) ? ["  sync_interval: always"] : []),
    "}",
    "",
  ].join("\n");
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ours = 0, theirs = 0] = version.split(".").map(Number);
  return ours > major || (ours === major && theirs >= minor);
}
