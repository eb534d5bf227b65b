// Backup form
// What the commands `backup` and `restore` get from the code that makes and reads backups.
//
//   Owns:          the interfaces.
//   Does not own:  any implementation (composition/backup), the printed words (commands).

interface Wish {
  /** Without a passphrase, the seal's key and the access tokens are left out of the backup. */
  readonly passphrase: string | undefined;
  readonly progress: (done: number, all: number) => void;
}

export type BackupWish = Wish;

export interface RestoreWish extends Wish {
  /** Only checks the file: no data folder is made. */
  readonly isCheck?: boolean;
}

interface InABackup {
  /** The last journal entry that the store had read. */
  readonly position: number;
  readonly rows: number;
  readonly entries: number;
  readonly blobs: number;
  readonly journal: "embedded" | "private" | "server";
  readonly hasJournal: boolean;
  /** Whether the folder had a seal's key; after a restore, whether it has one now. */
  readonly hasKey: boolean;
  /** How many tokens the folder had; after a restore, how many it has now. */
  readonly tokens: number;
}

export interface BackedUp extends InABackup {
  readonly dir: string;
  readonly file: string;
  readonly bytes: number;
  /** Whether key and tokens are in the backup, encrypted with the passphrase. */
  readonly isSealed: boolean;
  /** Blobs that are damaged in the folder; the backup leaves them out. */
  readonly damaged: readonly string[];
  /** Whether the folder has a note about this backup. */
  readonly isNoted: boolean;
  readonly sha256: string;
}

export interface Restored extends InABackup {
  readonly dir: string;
  /** The version that made the backup, and when (ms). */
  readonly build: string;
  readonly madeAt: number;
  /** Whether key and tokens are in the backup, and the passphrase decrypted them. */
  readonly isSealed: boolean;
  readonly isOpened: boolean;
}

export interface Backups {
  backUp(dataDir: string | undefined, file: string, wish: BackupWish): Promise<BackedUp>;
  restore(dataDir: string | undefined, file: string, wish: RestoreWish): Promise<Restored>;
  /** Whether restoring needs a passphrase. @throws RefusedError NOT_A_BACKUP, BACKUP_FORMAT */
  isSealed(file: string): Promise<boolean>;
}
