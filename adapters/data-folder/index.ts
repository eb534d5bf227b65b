// Data folder: the files in which an engine stores its rows, its secrets, its address, its journal's name and its record.

export { type Address, readAddress, removeAddress, writeAddress } from "./address.ts";
export { type MadeBackup, noteBackup, readBackups } from "./backups.ts";
export { type Binding, journalDiffers, readBinding, writeBinding } from "./binding.ts";
export { onClosed } from "./closed.ts";
export { accessIn, grantText } from "./grants.ts";
export { ensureKey, takeKey } from "./key.ts";
export { ensureLineKey, retireToken } from "./line-key.ts";
export { addToken, checkAccessToken, checkToken, listTokens, readTokens, removeToken } from "./tokens.ts";
export { makeDeep, makeFolder } from "./make.ts";
export { makeOwn, readOwn, removeOwn, writeOwn } from "./own-file.ts";
export { dataFolder, type DataFolder, dataFolderForClients } from "./place.ts";
export { isHalfRestored, writeHalfRestored } from "./half-restored.ts";
export { checkHeld, type Held, noStore, writeRecord } from "./record.ts";
export { ensureSecret, readSecret } from "./secret.ts";
export { findSocket, placeSocket } from "./socket.ts";
export { inWords } from "./trouble.ts";
