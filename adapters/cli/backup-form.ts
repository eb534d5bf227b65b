// Backup form
// What the commands `backup` and `restore` ask for, and what they are told.
//
//   Owns:          the interfaces.
//   Does not own:  any implementation (composition/backup), the words (commands).

interface Wish {
  /** Undefined leaves the seal's key and people's tokens out. */
  readonly passphrase: string | undefined;
  readonly progress: (done: number, all: number) => void;
}

export type BackupWish = Wish;

export interface RestoreWish extends Wish {
  /** The file is read and checked, and nothing is made. */
  readonly isCheck?: boolean;
}

interface InABackup {
  /** The last entry of the journal that the store had read. */
  readonly position: number;
  readonly rows: number;
  /** Entries of the folder's own journal. */
  readonly entries: number;
  readonly blobs: number;
  readonly journal: "embedded" | "private" | "server";
  /** The journal is in it, too. */
  readonly hasJournal: boolean;
  /** Whether the folder had a seal's key; of a restore, whether it has one now. */
  readonly hasKey: boolean;
  /** How many people have a token; of a restore, how many have one now. */
  readonly tokens: number;
}

export interface BackedUp extends InABackup {
  readonly dir: string;
  readonly file: string;
  readonly bytes: number;
  /** Key and tokens are in it, under the passphrase. */
  readonly isSealed: boolean;
  /** Blobs that are damaged in the folder, and not in the backup. */
  readonly damaged: readonly string[];
  /** The folder tells of it afterwards. */
  readonly isNoted: boolean;
  /** Over the whole file. */
  readonly sha256: string;
}

export interface Restored extends InABackup {
  readonly dir: string;
  /** The version that made it, and when, ms. */
  readonly build: string;
  readonly madeAt: number;
  /** Key and tokens are in the backup; the passphrase opened them. */
  readonly isSealed: boolean;
  readonly isOpened: boolean;
}

export interface Backups {
  backUp(dataDir: string | undefined, file: string, wish: BackupWish): Promise<BackedUp>;
  restore(dataDir: string | undefined, file: string, wish: RestoreWish): Promise<Restored>;
  /** Whether a passphrase is asked for. @throws RefusedError NOT_A_BACKUP, BACKUP_FORMAT */
  isSealed(file: string): Promise<boolean>;
}
