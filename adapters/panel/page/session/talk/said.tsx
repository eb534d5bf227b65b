// Said
// The agent's words before a call, the whole prompt, and the words at the end of a request.
//
//   Owns:          how the words look.
//   Does not own:  where each text is (talk.ts), hidden characters and long texts (parts/text).

import { Text } from "../../parts/text.tsx";

/** The agent's words before a call, in a row above the call's. */
export function SaidBefore({ texts }: { readonly texts: readonly string[] }) {
  return (
    <tr class="said">
      <td class="index" />
      <td colSpan={4}>
        <Words texts={texts} />
      </td>
    </tr>
  );
}

/** The agent's words after the last call of a request: its answer, once the request is over. */
export function SaidAfter({ texts }: { readonly texts: readonly string[] }) {
  return (
    <section class="said after" aria-label="Said after the last call">
      <Words texts={texts} />
    </section>
  );
}

function Words({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text, n) => (
        <p key={n}>
          <Text text={text} />
        </p>
      ))}
    </>
  );
}

const HEADING_MAX = 120;

/** The whole prompt: the heading has room for two lines of it. */
export function WholePrompt({ text }: { readonly text: string }) {
  if (text.length <= HEADING_MAX && !text.includes("\n")) return null;
  return (
    <details class="said whole-prompt">
      <summary>The whole prompt</summary>
      <p>
        <Text text={text} />
      </p>
    </details>
  );
}
