// Blob bucket
// Large texts in an object store on the NATS server, for every engine on the journal.
//
//   Owns:          the bucket and its settings, how a text is stored there.
//   Does not own:  which texts are stored in the bucket and when (composition/cluster/shared-blobs), files (blob-files).
//   Decided in:    docs/decisions/0094-large-inputs-in-an-object-store.md.
//
// BLOB-BUCKET-1. `put` resolves once the server holds the whole text. A text that the bucket has already is stored again only if
//     it was last stored more than a day ago.
// BLOB-BUCKET-2. A text in the bucket whose content does not match its name counts as missing.
// BLOB-BUCKET-3. The server removes a text 400 days after it was last stored.

import {
  DiscardPolicy,
  type JetStreamManager,
  nanos,
  type NatsConnection,
  type ObjectInfo,
  type ObjectStore,
} from "nats";
import { checkBlobName, isBlobName, isNamed } from "../../runtime/blob-name.ts";
import { asPortError } from "./client-errors.ts";
import { ensureStream, STREAMS, type StreamLimits } from "./streams.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 400 * DAY_MS;
const MIB = 1024 * 1024;
const BYTES_MAX = 4096 * MIB;
const DUPLICATES_MS = 120_000;
const BUCKET = STREAMS.blobs.slice("OBJ_".length);

type Limits = Pick<StreamLimits, "replicas">;

export class BlobBucket {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #limits: Limits;
  readonly #now: () => number;
  #store: Promise<ObjectStore> | undefined;

  /** Creates nothing on the server: the bucket's first use creates its stream. */
  constructor(connection: NatsConnection, manager: JetStreamManager, limits: Limits, now: () => number) {
    this.#connection = connection;
    this.#manager = manager;
    this.#limits = limits;
    this.#now = now;
  }

  /** @throws the error that `asPortError` makes of the server's answer. */
  async put(hash: string, text: string): Promise<void> {
    checkBlobName(hash);
    await this.#use(async (store) => {
      const found = await store.info(hash);
      if (found && !found.deleted && !isOlder(found, this.#now() - DAY_MS)) return;
      await store.putBlob({ name: hash }, Buffer.from(text, "utf8"));
    });
  }

  /** @returns the text; undefined if the bucket does not have it (BLOB-BUCKET-2). @throws as `put` does. */
  async get(hash: string): Promise<string | undefined> {
    checkBlobName(hash);
    return this.#use(async (store) => {
      const bytes = await store.getBlob(hash);
      return bytes !== null && isNamed(hash, bytes) ? Buffer.from(bytes).toString("utf8") : undefined;
    });
  }

  /** The names of texts that were last stored before a time. @param before ms. @throws as `put` does. */
  old(before: number): Promise<readonly string[]> {
    return this.#use(async (store) =>
      (await store.list()).flatMap((one) => (isOlder(one, before) ? [one.name] : [])),
    );
  }

  /** Removes a text that was last stored before a time. @param before ms. @throws as `put` does. */
  async drop(hash: string, before: number): Promise<void> {
    checkBlobName(hash);
    await this.#use(async (store) => {
      const found = await store.info(hash);
      if (found && isOlder(found, before)) await store.delete(hash);
    });
  }

  async #use<T>(act: (store: ObjectStore) => Promise<T>): Promise<T> {
    try {
      return await act(await (this.#store ??= this.#open()));
    } catch (error) {
      this.#store = undefined;
      throw asPortError(error);
    }
  }

  /** Opens the bucket; creates its stream itself, because the NATS client would name a field that servers since 2.12 refuse. */
  async #open(): Promise<ObjectStore> {
    const settings = {
      name: STREAMS.blobs,
      subjects: [`$O.${BUCKET}.C.>`, `$O.${BUCKET}.M.>`],
      discard: DiscardPolicy.New,
      max_age: nanos(KEPT_MS),
      max_bytes: BYTES_MAX,
      max_msg_size: -1,
      duplicate_window: nanos(DUPLICATES_MS),
      allow_direct: true,
      allow_rollup_hdrs: true,
    };
    await ensureStream(this.#manager, settings, this.#limits);
    return this.#connection.jetstream().views.os(BUCKET);
  }
}

const isOlder = ({ name, mtime, deleted }: ObjectInfo, before: number): boolean =>
  isBlobName(name) && !deleted && Date.parse(mtime) < before;
