// Files
// The files in the folder of a private server.
//
//   Owns:          the names of the server's files.
//   Does not own:  what the files contain, the server's own store.

import { join } from "node:path";

/** The file with the server's configuration. A folder with this file belongs to a private server. */
export const configFileOf = (dir: string): string => join(dir, "server.conf");
/** The file in which the server writes its process id. */
export const pidFileOf = (dir: string): string => join(dir, "pid");
/** The file that says which process the supervisor started. */
export const childFileOf = (dir: string): string => join(dir, "child");
/** The file that says which supervisor has claimed the folder. */
export const ownerFileOf = (dir: string): string => join(dir, "owner");
export const portFileOf = (dir: string): string => join(dir, "port");
export const storeDirOf = (dir: string): string => join(dir, "store");
/** The file with the seed of the key that the server accepts. */
export const keyFileOf = (dir: string): string => join(dir, "user.nk");
