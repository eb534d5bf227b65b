// Model
// Generated sessions against the reference model: two ways to the same end.

import { describe, test } from "vitest";
import { sessions, UNSEEN } from "../support/sessions/generate.ts";
import { compare } from "../support/model/compare.ts";
import { holds } from "../support/properties/property.ts";
import { story } from "../support/sessions/script.ts";

const FILE = "test/machines/model.test.ts";

describe("model", () => {
  test("C1–C5, R1–R3, B1, I-47, I-48, S3.11: short sessions end as the reference model says, step by step", () => {
    holds(FILE, 2_500, sessions(12), compare, story);
  });

  test("C1–C5, R1–R3, B1, I-47, I-48, S3.11: long sessions end as the reference model says, step by step", () => {
    holds(FILE, 250, sessions(80), compare, story);
  });

  test("C4, S0.11, S3.22: sessions that ask and report before they call end as the reference model says", () => {
    holds(FILE, 250, sessions(40, UNSEEN), compare, story);
  });
});
