// Blob child
// A process that puts large blobs, one after another, until it is killed or has put as many as asked.
//
//   Owns:          printing at once what it was told.
//   Does not own:  judging what is left.
//
// Arguments: how many, and the folder.

import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { BlobFiles } from "../../../adapters/blob-files/blob-files.ts";
import { systemClock } from "../../../adapters/system/index.ts";

const [count = "0", dir = ""] = process.argv.slice(2);
const blobs = new BlobFiles(dir, systemClock());
for (let n = 1; n <= Number(count); n += 1) {
  const text = `${process.pid} ${n} `.repeat(200_000);
  const hash = createHash("sha256").update(text).digest("hex");
  writeSync(1, `put ${hash}\n`);
  await blobs.put(hash, text);
  writeSync(1, `kept ${hash}\n`);
}
