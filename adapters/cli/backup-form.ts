// Backup form
// The interfaces through which the commands `backup` and `restore` use the code that makes and reads backups.
//
//   Owns:          the interfaces for making and reading backups.
//   Does not own:  making and reading backups (composition/backup), the words that the commands print (commands).

export interface BackupWish {
  /** Without a passphrase, the seal's key and the access tokens are left out of the backup. */
  readonly passphrase: string | undefined;
  readonly progress: (done: number, all: number) => void;
}

export interface RestoreWish extends BackupWish {
  /** If true, the file is only checked, and no data folder is made. */
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
  /** Whether key and tokens are in the backup, encrypted with the passphrase. */
  readonly isSealed: boolean;
}

export interface BackedUp extends InABackup {
  readonly dir: string;
  readonly file: string;
  readonly bytes: number;
  readonly damaged: readonly string[];
  readonly isNoted: boolean;
  readonly sha256: string;
}

export interface Restored extends InABackup {
  readonly dir: string;
  readonly build: string;
  /** When the backup was made, ms. */
  readonly madeAt: number;
  /** Whether the passphrase decrypted the key and the tokens. */
  readonly isOpened: boolean;
}

export interface Backups {
  backUp(dataDir: string | undefined, file: string, wish: BackupWish): Promise<BackedUp>;
  restore(dataDir: string | undefined, file: string, wish: RestoreWish): Promise<Restored>;
  /** Whether restoring needs a passphrase. @throws RefusedError NOT_A_BACKUP, BACKUP_FORMAT */
  isSealed(file: string): Promise<boolean>;
}
