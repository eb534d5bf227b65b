// The file of a request: where it stands, and what is refused.

import { join, relative } from "node:path";
import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import {
  beforePath,
  fileName,
  idOfName,
  indexPath,
  indexTarget,
  readState,
  type RequestState,
  requestsIn,
  type StateFile,
  statePath,
  textOf,
} from "../../../adapters/request-files/format.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";

const request: RequestState = {
  requestId: "r1",
  chatId: 7,
  workspace: "shop",
  state: "processing",
  previousState: "created",
  createdAt: 1,
  processingStartedAt: 2,
  lastUpdatedAt: 2,
  timedOut: false,
};
const file: StateFile = { request, generation: 3 };
const read = (text: string): StateFile => readState("r1.json", text);

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof RefusedError) return error.code;
    throw error;
  }
  return "taken";
};

describe("the text of a file", () => {
  it("S1.28: has the seed's fields at its top, where a script finds them, and reads back", () => {
    expect(JSON.parse(textOf(file))).toMatchObject(request);
    expect(read(textOf(file))).toEqual({ ...file, standing: undefined });
  });

  property.prop([fc.string({ unit: "binary" }), fc.nat()])(
    "FORMAT-2: whatever its texts hold it reads back as it was",
    (output, tokens) => {
      const full = { ...file, request: { ...request, output, tokens, prompt: output } };
      expect(read(textOf(full)).request).toEqual(full.request);
    },
  );

  it("FORMAT-2, S1.27: cut anywhere it is refused", () => {
    const text = textOf(file).trimEnd();
    for (let length = 0; length < text.length; length += 1)
      expect(codeOf(() => read(text.slice(0, length)))).toBe("STATE_DAMAGED");
  });

  it("FORMAT-2, S1.27: with any other letter or digit in it, it is refused or says the same", () => {
    const text = textOf(file);
    for (const [at, was] of text.split("").entries()) {
      const changed = text.slice(0, at) + (was === "7" ? "8" : "7") + text.slice(at + 1);
      const code = codeOf(() => expect(read(changed)).toEqual(read(text)));
      expect(["STATE_DAMAGED", "STATE_FORMAT", "taken"]).toContain(code);
    }
  });

  it("FORMAT-2: one that another implementation of the seed wrote is taken, by its fields", () => {
    expect(read(JSON.stringify(request))).toEqual({ request, generation: 0 });
    expect(codeOf(() => read(JSON.stringify({ ...request, state: "done" })))).toBe("STATE_DAMAGED");
    expect(codeOf(() => read(JSON.stringify({ ...request, more: 1 })))).toBe("STATE_DAMAGED");
  });

  it("FORMAT-3: one of a later format is refused with what to do", () => {
    const later = textOf(file).replace('"format": 1', '"format": 2');
    expect(codeOf(() => read(later))).toBe("STATE_FORMAT");
  });
});

describe("paths", () => {
  property.prop([fc.string({ minLength: 1 }), fc.string({ minLength: 1 })])(
    "FORMAT-1, S1.64: no id leads out of the folder, and two ids never to one file",
    (one, two) => {
      fc.pre(![one, two].some((id) => /\p{Surrogate}/u.test(id)));
      for (const path of [statePath("b", one), beforePath("b", one), indexPath("b", two, one)])
        expect(relative(requestsIn("b"), path)).not.toMatch(/^\.\.|^\//);
      expect(fileName(one) === fileName(two)).toBe(one === two);
    },
  );

  it.each(["../../etc/passwd", "..", ".", "a/b", "a\0b", "/etc/passwd", "x".repeat(129)])(
    "FORMAT-1: %j becomes a hash",
    (id) => {
      expect(fileName(id)).toMatch(/^h_[a-z2-7]{52}\.json$/);
    },
  );

  it("S1.36: the index leads to the file", () => {
    expect(join(indexPath("b", "shop", "r1"), "..", indexTarget("r1"))).toBe(statePath("b", "r1"));
  });

  it.each(["r1.json.tmp", ".json", "a b.json", "r1", "../r1.json"])(
    "FORMAT-1: %j is no name of ours",
    (name) => {
      expect(idOfName(name)).toBeUndefined();
    },
  );
});
