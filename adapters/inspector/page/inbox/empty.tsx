// Empty
// An inbox with nothing in it: what to do first, or that all is well.
//
//   Owns:          the words.
//   Does not own:  the sample session (sample/).

import { startSample } from "../sample/sample.ts";

export function Empty() {
  return (
    <section class="empty">
      <h1>Nothing waits for you</h1>
      <p>Connect Claude Code: the README's “Live use” has the settings.</p>
      <p>
        Or send events of your own: <code>npx signalbox emit request.created --help</code>
      </p>
      <p>When an agent asks for permission, its question appears here.</p>
      <button type="button" class="approve" onClick={() => void startSample()}>
        Play a sample session
      </button>
      <p class="quiet">Ten tool calls through the real engine, five of them with a question for you.</p>
    </section>
  );
}
