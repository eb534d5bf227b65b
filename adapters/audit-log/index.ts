// Audit log: stores the audit rows as a Merkle log in files, signed once a minute.

export { AuditLog } from "./audit-log.ts";
export { filesIn, keptIn, type LogFiles } from "./files.ts";
export { logSigner } from "./key.ts";
