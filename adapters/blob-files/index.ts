// Blob files: large texts in a folder of their own, each text in a file that is named by the text's hash.

export { BlobFiles, blobNamesIn, keptBlob } from "./blob-files.ts";
