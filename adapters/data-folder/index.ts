// Data folder: the files in which an engine stores its rows, its secrets, its address, its journal's name and its record.

export { readAddress, removeAddress, writeAddress } from "./address.ts";
export type { Address } from "./address.ts";
export { noteBackup, readBackups } from "./backups.ts";
export type { MadeBackup } from "./backups.ts";
export { journalDiffers, readBinding, writeBinding } from "./binding.ts";
export type { Binding } from "./binding.ts";
export { onClosed } from "./closed.ts";
export { isHalfRestored, writeHalfRestored } from "./half-restored.ts";
export { accessIn, grantText } from "./grants.ts";
export { ensureKey, takeKey } from "./key.ts";
export { addToken, checkAccessToken, checkToken, listTokens, readTokens, removeToken } from "./tokens.ts";
export { makeDeep, makeFolder } from "./make.ts";
export { makeOwn, readOwn, removeOwn, writeOwn } from "./own-file.ts";
export { dataFolder, dataFolderForClients } from "./place.ts";
export type { DataFolder } from "./place.ts";
export { checkHeld, writeRecord } from "./record.ts";
export type { Held } from "./record.ts";
export { ensureLineKey, retireToken } from "./line-key.ts";
export { ensureSecret, readSecret } from "./secret.ts";
export { findSocket, placeSocket } from "./socket.ts";
export { inWords } from "./trouble.ts";
