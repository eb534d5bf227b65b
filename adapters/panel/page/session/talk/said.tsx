// Said
// Shows what was said in a session: the agent's words before a call, the whole prompt, the last words of a request.
//
//   Owns:          how the words of the agent and of people look.
//   Does not own:  beside which call each text is shown (talk.ts), hidden characters and long texts (parts/text).

import { Text } from "../../parts/text.tsx";

/** What the agent said before a call: a row above the call's row. */
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

/** What the agent said after the last call of a request. */
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

/** Shows the whole prompt if it is longer than the two lines for which the heading of a request has room. */
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
