// Data folder: where an engine keeps its store, its token and its address.

export { readAddress, writeAddress } from "./address.ts";
export { dataFolder, makeFolder } from "./place.ts";
export type { DataFolder } from "./place.ts";
export { ensureToken, readToken } from "./token.ts";
