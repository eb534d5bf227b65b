// Meta
// The one row that says where the engine is.

import { expect, test } from "vitest";
import { InvariantViolation } from "../../../runtime/errors/errors.ts";
import { meta, setMeta } from "../../../runtime/rows/meta.ts";
import { emptyLayer } from "../../support/sessions/session-run.ts";

test("META-2: the cursor moves on, and is never put back", () => {
  const layer = emptyLayer();
  const { position } = meta(layer);
  setMeta(layer, { position: position + 5 });
  expect(() => setMeta(layer, { position: position + 4 })).toThrow(InvariantViolation);
  expect(meta(layer).position).toBe(position + 5);
});
