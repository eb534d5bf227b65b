// Config
// The configuration of the private server, as text.
//
//   Owns:          every setting of the server.
//   Does not own:  writing the configuration file, the values that differ between folders.
//
// NATS-SERVER-CONFIG-1. The server listens on the loopback address only, admits only the holder of one key, and has no monitoring
//     port. The configuration file contains no secret.

export interface Settings {
  readonly port: number;
  readonly publicKey: string;
  readonly storeDir: string;
  readonly pidFile: string;
  /** The folder in which the server writes a file with its ports. */
  readonly portsDir: string;
  readonly version: string;
}

export const HOST = "127.0.0.1";
/** The longest message, in bytes. A raw hook may have 8 MiB, and its envelope and headers need further room. */
const PAYLOAD_MAX_BYTES = 16 * 1024 * 1024;
/**
 * The server's limit for all streams together: so high that only each stream's own limit counts. The limit that the server has
 * by default may be lower than a stream's.
 */
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
    ...(canSyncAlways(version) ? ["  sync_interval: always"] : []),
    "}",
    "",
  ].join("\n");
}

/** True from version 2.10 on. An older server syncs only every minute or two, so a power failure may lose messages. */
function canSyncAlways(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}
