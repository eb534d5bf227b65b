// Backup file: the content of a data folder as one file, whose completeness can be checked.

export { isBackup, readBackup, type ReadFrame } from "./reader.ts";
export { checkPassphrase, openSealed, sealed } from "./sealed.ts";
export { BackupWriter } from "./writer.ts";
