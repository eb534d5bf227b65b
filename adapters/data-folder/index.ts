// Data folder: where an engine keeps its store, its secrets, its address and the name of its journal.

export { readAddress, writeAddress } from "./address.ts";
export { journalDiffers, readBinding, writeBinding } from "./binding.ts";
export type { Binding } from "./binding.ts";
export { ensureKey } from "./key.ts";
export { addNamed, checkNamed, checkToken, listNamed, readNamed, removeNamed } from "./named.ts";
export { dataFolder, makeFolder } from "./place.ts";
export type { DataFolder } from "./place.ts";
export { ensureSecret, readSecret } from "./secret.ts";
