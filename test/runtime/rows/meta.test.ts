// Meta
// The one row that says where the engine is.

import { expect, test } from "vitest";
import { InvariantViolation } from "../../../runtime/errors/errors.ts";
import { decode, encode } from "../../../runtime/rows/codec.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { type Meta, meta, setMeta } from "../../../runtime/rows/meta.ts";
import { Layer } from "../../../runtime/rows/overlay.ts";
import { emptyLayer } from "../../support/sessions/session-run.ts";

test("META-2: the cursor moves on, and is never put back", () => {
  const layer = emptyLayer();
  const { position } = meta(layer);
  setMeta(layer, { position: position + 5 });
  expect(() => setMeta(layer, { position: position + 4 })).toThrow(InvariantViolation);
  expect(meta(layer).position).toBe(position + 5);
});

test("META-4: the row has the same bytes when a process ended between two of its changes", () => {
  const changes: readonly Partial<Meta>[] = [
    { junk: { second: 1, letters: 1, untold: 0 }, hash: "h" },
    { junk: undefined, clock: undefined },
    { overQuota: { second: 2, of: [] }, lost: { at: 1, entries: 2 } },
    { junk: { second: 2, letters: 1, untold: 0 }, log: "l" },
  ];
  const bytesIf = (isEnded: boolean): string => {
    let layer = emptyLayer();
    for (const change of changes) {
      setMeta(layer, change);
      if (isEnded) layer = readAgain(meta(layer));
    }
    return encode(keys.meta, meta(layer));
  };
  expect(bytesIf(true)).toBe(bytesIf(false));
});

function readAgain(row: Meta): Layer {
  const text = encode(keys.meta, row);
  return new Layer({ get: (key) => (key === keys.meta ? decode(key, text) : undefined), keys: () => [] });
}
