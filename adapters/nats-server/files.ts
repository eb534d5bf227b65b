// Files
// The files in the folder of a private server.
//
//   Owns:          their names.
//   Does not own:  what the files contain, the server's own store.

import { join } from "node:path";

/** The server's configuration. A folder with this file is a private server's. */
export const configFileOf = (dir: string): string => join(dir, "server.conf");
/** The server writes its process id here. */
export const pidFileOf = (dir: string): string => join(dir, "pid");
/** Which process the supervisor started. */
export const childFileOf = (dir: string): string => join(dir, "child");
/** Which supervisor has the folder. */
export const ownerFileOf = (dir: string): string => join(dir, "owner");
export const portFileOf = (dir: string): string => join(dir, "port");
export const storeDirOf = (dir: string): string => join(dir, "store");
/** The seed of the key that the server admits. */
export const keyFileOf = (dir: string): string => join(dir, "user.nk");
