import { join } from "node:path";
import { defineConfig } from "vitest/config";

const SEED = join(import.meta.dirname, "./test/support/property-seed.ts");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    setupFiles: process.env.PROPERTY_SEED === undefined ? [] : [SEED],
  },
});
