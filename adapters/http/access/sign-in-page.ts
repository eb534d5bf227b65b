// Sign-in page
// The page for a caller who is not signed in: it says how to open the panel and, by https, links to the provider and has a field
// for a token.
//
//   Owns:          the page's words, its look, what a browser may do with the page.
//   Does not own:  who may come in (entrance), the cookie (session-cookie).
//
// SIGN-IN-PAGE-1. The page loads nothing and runs nothing, and its form can be sent only to the engine's own address.
// SIGN-IN-PAGE-2. Without https the page has no field for a token. Otherwise users would get used to the field, and would also
//     type their token into such a field on a page that another program serves at this address.

import { hash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f5f5f2, #131518); --sheet: light-dark(#ffffff, #1b1e22);
  --line: light-dark(#deded7, #31363d); --text: light-dark(#1c1f23, #e6e8ea); --quiet: light-dark(#494e55, #b4bbc2);
  --accent: light-dark(#1a5086, #85bcf1); --go: light-dark(#125b3b, #69cd9d);
  font-family: system-ui, -apple-system, "Segoe UI", sans-serif; line-height: 1.5; }
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 1.25rem 2rem; background: var(--ground); color: var(--text); font-size: .9375rem; }
main { max-width: 30rem; margin: 0 auto; padding: 2rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--sheet); }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; font-weight: 600; }
p { margin: .75rem 0; }
.quiet { color: var(--quiet); }
label { display: block; font-weight: 600; }
input { display: block; width: 100%; min-height: 44px; margin: .25rem 0 .75rem; padding: .25rem .75rem;
  border: 1px solid var(--line); border-radius: 5px; background: var(--ground); color: var(--text);
  font: inherit; font-size: 1rem; }
button, .go { display: inline-block; min-height: 44px; padding: .25rem 1.25rem; border: 1px solid currentcolor;
  border-radius: 8px; background: none; color: var(--go); font: inherit; font-weight: 600; cursor: pointer; }
.go { padding-top: .5rem; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: .8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { margin: .75rem 0; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 5px; background: var(--ground);
  white-space: pre-wrap; overflow-wrap: anywhere; }
summary { min-height: 44px; padding-top: .75rem; cursor: pointer; }
`;

// The header that forbids the page to load or run anything (SIGN-IN-PAGE-1).
export const SIGN_IN_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A place of the engine that is reached by https. */
interface Open {
  readonly origin: string;
  readonly provider: string | undefined;
}

/** @param why the caller is not signed in. @param open the engine's place, if the request came by https. */
export function signInPage(why: string, open: Open | undefined): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in – Signalbox</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in to Signalbox</h1>
<p role="status">${escaped(why)}</p>
${open === undefined ? OPENING : waysOf(open)}</main>
</body>
</html>
`;
}

const COMMAND = "npx signalbox open";
const OPENING = `<p>In a terminal of the computer where Signalbox runs, type:</p>
<pre>${COMMAND}</pre>
<p class="quiet">It opens this page, and signs this browser in until Signalbox ends.</p>
`;

/** The ways to sign in. The way by the provider is a link, not a form, because the page's policy limits where forms lead. */
const waysOf = ({ origin, provider }: Open): string =>
  provider === undefined
    ? formOf(origin, " autofocus")
    : `<p><a class="go" href="/sign-in" autofocus>Sign in with ${escaped(provider)}</a></p>
${formOf(origin)}`;

const formOf = (origin: string, focus = ""): string => `<form method="get" action="/" autocomplete="on">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required${focus} aria-describedby="lasts">
<button type="submit">Sign in</button>
</form>
<p id="lasts" class="quiet">By a token, this browser stays signed in until the engine ends, or the token is removed.</p>
<details>
<summary>How to get a link, or a token</summary>
<pre>${escaped(howTo(origin))}</pre>
</details>
`;

/** The sign-in page's content as text for a terminal. */
export const signInText = (why: string, open: Open | undefined): string =>
  `This is Signalbox. ${why}\n\n${open === undefined ? `On the computer where Signalbox runs, type: ${COMMAND}\n` : howTo(open.origin)}`;

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? "");

const howTo = (origin: string): string => `To sign in, type your token, or open ${origin}/?token=<the token>

Whoever runs the engine gives you one, as text or as a picture for your phone's camera:

  npx signalbox token add NAME --qr
`;
