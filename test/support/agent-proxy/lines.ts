// Lines
// Lines as a hostile agent writes them, and readers that take them as loosely as a client might.
//
//   Owns:          making lines, and reading them in every way that is known to differ.
//   Does not own:  what passes (adapters/agent-proxy).

import fc from "fast-check";

/** A text in JSON, with some of its letters spelled as escapes. */
const spelled = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map(
    (picks) =>
      `"${Array.from(text)
        .map((letter, n) => (picks[n] ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter))
        .join("")}"`,
  );
const plainOrSpelled = (text: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constant(JSON.stringify(text)), spelled(text));
const key = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: plainOrSpelled(name) },
    plainOrSpelled(name.toUpperCase()),
    fc.constant(`'${name}'`),
    fc.constant(name),
  );
const ids = fc.oneof(
  fc.constantFrom("1", '"1"', "1.0", "null", "123456789012345678901234567890", "{}", "[1]", '"\\u0031"'),
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
);
/**
 * Of one line, in bytes; some are no UTF-8.
 * @param head of a notification that passes unread, up to its parameters.
 */
export function hostileLines(methods: readonly string[], params: object, head: string): fc.Arbitrary<Buffer> {
  const method = fc.constantFrom(...methods).chain((name) => fc.tuple(key("method"), plainOrSpelled(name)));
  const words = fc.oneof(
    fc.string().map((text) => JSON.stringify({ ...params, update: { text } })),
    fc
      .constantFrom(...methods)
      .map((name) => JSON.stringify({ ...params, text: `{"id":1,"method":"${name}"}` })),
    fc.constant(JSON.stringify(params)),
  );
  const member = fc.oneof(
    method.map(([name, value]) => `${name}:${value}`),
    fc.tuple(key("id"), ids).map(([name, value]) => `${name}:${value}`),
    fc.tuple(key("params"), words).map(([name, value]) => `${name}:${value}`),
    fc.constant('"jsonrpc":"2.0"'),
  );
  const between = fc.constantFrom(",", ", ", ",\r", "\r", ",\t", "\u2028,", "/**/,");
  const object = fc
    .array(fc.tuple(member, between), { minLength: 1, maxLength: 6 })
    .map(
      (parts) => `{${parts.map(([text, gap], n) => (n === parts.length - 1 ? text : text + gap)).join("")}}`,
    );
  const begun = fc
    .tuple(words, fc.array(member, { maxLength: 3 }))
    .map(([said, more]) => `${head}${[said, ...more].join(",")}}`);
  const within = fc
    .tuple(object, fc.constantFrom("\r", "\\r", "\u2028", " "))
    .map(([inner, gap]) => `${head}{"a":${gap}${inner}${gap}}}`);

  return fc
    .oneof(
      object,
      begun,
      within,
      object.map((text) => `[${text}]`),
      fc.tuple(object, object).map(([a, b]) => `${a}\r${b}`),
    )
    .chain((text) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(Buffer.from(`${text}\n`)) },
        fc.nat(text.length).map((at) => {
          const bytes = Buffer.from(`${text}\n`);
          // An overlong quote.
          return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc0, 0xa2]), bytes.subarray(at)]);
        }),
      ),
    );
}

/** The methods of the requests that some reader finds in a line: one that splits at other ends, or takes keys loosely. */
export function methodsIn(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes).toString("latin1").replaceAll("\u00c0\u00a2", '"');
  const utf8 = Buffer.from(bytes).toString("utf8");
  const readings = [text, utf8].flatMap((each) => [each, ...each.split(/[\r\n\u2028\u2029\u0085\v\f]/)]);
  return readings.flatMap((each) => loosely(each));
}

function loosely(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const objects = Array.isArray(value) ? (value as unknown[]) : [value];
  return objects.flatMap((each) => (typeof each === "object" && each !== null ? inObject(text, each) : []));
}

/** Each value of a key that may be taken for `method`, the first and the last, in any case; marked where there is no id. */
function inObject(text: string, object: object): readonly string[] {
  const hasId = Object.keys(object).some((name) => name.toLowerCase() === "id");
  const last = Object.entries(object).flatMap(([name, value]) =>
    name.toLowerCase() === "method" && typeof value === "string" ? [value] : [],
  );
  // Of the outermost object, those before another of the same name, too.
  const twice = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].flatMap(
    ({ index, 1: name, 2: value }) =>
      depthAt(text, index) === 1 && unescaped(name).toLowerCase() === "method" ? [unescaped(value)] : [],
  );
  return [...last, ...twice].map((method) => (hasId ? method : `told: ${method}`));
}

const unescaped = (text = ""): string => JSON.parse(`"${text}"`) as string;

function depthAt(text: string, index: number): number {
  const before = text.slice(0, index).replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  return (before.match(/[{[]/g) ?? []).length - (before.match(/[}\]]/g) ?? []).length;
}
