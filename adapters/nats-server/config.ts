// Config
// The configuration of the private server, as text.
//
//   Owns:          every setting.
//   Does not own:  writing the file, the values that differ between folders.
//
// NATS-SERVER-CONFIG-1. The server listens on the loopback address only, admits only the holder of one key, and has no monitoring
//     port. The file contains no secret.

export interface Settings {
  readonly port: number;
  /** The public key of the only user. */
  readonly publicKey: string;
  readonly storeDir: string;
  readonly pidFile: string;
  /** Where the server writes which ports it has. */
  readonly portsDir: string;
  readonly version: string;
}

export const HOST = "127.0.0.1";
/** The longest message. A raw hook may have 8 MiB, and its envelope and headers need more. */
const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;
/** The largest store, in effect unlimited: each stream has its own limit. The server's default would depend on the free space. */
const FILE_STORE_MAX_BYTES = 1024 ** 4;
const MEMORY_STORE_MAX_BYTES = 64 * 1024 * 1024;

export function configText({ port, publicKey, storeDir, pidFile, portsDir, version }: Settings): string {
  // The configuration's format escapes strings as JSON does.
  const text = (value: string): string => JSON.stringify(value);
  return [
    "# Written by `signalbox up` at each start.",
    `host: ${text(HOST)}`,
    `port: ${port}`,
    `authorization { users: [ { nkey: ${publicKey} } ] }`,
    `max_payload: ${PAYLOAD_MAX_BYTES}`,
    `pid_file: ${text(pidFile)}`,
    `ports_file_dir: ${text(portsDir)}`,
    "jetstream {",
    `  store_dir: ${text(storeDir)}`,
    `  max_memory_store: ${MEMORY_STORE_MAX_BYTES}`,
    `  max_file_store: ${FILE_STORE_MAX_BYTES}`,
    // Servers before 2.10 do not know this setting. They sync every minute or two, so a power failure may lose messages.
    ...(isAtLeast(version, 2, 10) ? ["  sync_interval: always"] : []),
    "}",
    "",
  ].join("\n");
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ours = 0, theirs = 0] = version.split(".").map(Number);
  return ours > major || (ours === major && theirs >= minor);
}
