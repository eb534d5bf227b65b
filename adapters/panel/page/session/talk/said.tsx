// Said
// What the agent said before a call, the whole of a prompt, and what was said at the end.
//
//   Owns:          how they look.
//   Does not own:  where each stands (talk.ts), hidden characters and long texts (parts/text).

import { Text } from "../../parts/text.tsx";

/** A row above that of the call it was said before. */
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

/** After the last call of a request: the answer, where it is over. */
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

/** The heading has room for two lines of a prompt. */
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
