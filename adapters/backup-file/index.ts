// Backup file: what a data folder held, as one file that proves itself whole.

export { isBackup, readBackup, type ReadFrame } from "./reader.ts";
export { checkPassphrase, openSealed, sealed } from "./sealed.ts";
export { BackupWriter } from "./writer.ts";
