// Blob files: large texts in a folder of their own, each a file named by its hash.

export { BlobFiles } from "./blob-files.ts";
export { blobNamesIn, keptBlob } from "./blob-files.ts";
