#!/bin/sh
# Deliver callback
# Sends what stands on standard input to a callback address and records in Signalbox how that goes.
#
#   deliver-callback.sh [REQUEST_ID]
#
# As the Stop hook of Claude Code, in its settings. A project can set the client's variables: the hook's command clears
# them, and says what is needed. Started by the client without that, the script refuses.
#   "Stop": [{ "hooks": [{ "type": "command", "timeout": 30, "command":
#     "/usr/bin/env -i PATH=/usr/bin:/bin HOME=/home/ann SIGNALBOX_CALLBACK_URL=https://… sh /path/to/deliver-callback.sh" }] }]
#
#   SIGNALBOX_CALLBACK_URL   where to; without it nothing is done
#   SIGNALBOX_REQUEST_ID     the request, where it is no argument; else the payload's prompt_id
#   SIGNALBOX_UNDELIVERED    the folder of what was not delivered (default: ~/.local/state/signalbox-undelivered)
#   SIGNALBOX_COMMAND        the command line (default: npx signalbox)
#   SIGNALBOX_REQUEST_TRACKER, ENABLE_REQUEST_TRACKER   false: deliver, record nothing
#
# The first try, then three more after 1, 2 and 4 s, each 20 % longer or shorter by chance. What cannot get better (a
# status of 400 to 499 but 408 and 429) is not tried again. What was not delivered stays in the folder as
# REQUEST_ID.json, also when this script is killed; send it again with `sh deliver-callback.sh REQUEST_ID < FILE`.
#
# It prints nothing on standard output, which the client would read, and ends with 0 or 1, never with 2, which would
# keep the client from stopping. An engine that does not answer never keeps a result from being delivered.
set -u
umask 077

give_up() {
  printf 'deliver-callback: %s\n' "$1" >&2
  exit 1
}

[ -z "${CLAUDE_PID:-}${CLAUDECODE:-}" ] ||
  give_up "The environment is the client's, which a project can set. Begin the hook's command with /usr/bin/env -i, and what it needs."

url=${SIGNALBOX_CALLBACK_URL:-}
[ -n "$url" ] || exit 0
# The address is written into a file of options for curl: what could end its line or its quotes is refused.
case $url in
  *[!!-~]* | *\"* | *\\*) give_up "SIGNALBOX_CALLBACK_URL holds a character that no address has. Encode it (%22 for a quote)." ;;
  http://* | https://*) ;;
  *) give_up "SIGNALBOX_CALLBACK_URL is no address. Begin it with http:// or https://." ;;
esac

folder=${SIGNALBOX_UNDELIVERED:-${HOME:-.}/.local/state/signalbox-undelivered}
draft=$folder/.draft.$$
mkdir -p "$folder" || give_up "The folder $folder cannot be made. Name another one in SIGNALBOX_UNDELIVERED."
trap 'rm -f "$draft"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$draft" || give_up "The result cannot be written to $folder. See that the disk has room."

id=${1:-${SIGNALBOX_REQUEST_ID:-}}
[ -n "$id" ] || id=$(awk 'match($0, /[{,] *"prompt_id" *: *"[A-Za-z0-9_-]+"/) {
  split(substr($0, RSTART, RLENGTH), part, "\""); print part[4]; exit }' "$draft")
case $id in
  "" | *[!A-Za-z0-9_-]*) give_up "It is not known which request this is the result of. Name it in SIGNALBOX_REQUEST_ID: letters, digits, _ and -." ;;
esac
[ ${#id} -le 128 ] || give_up "The id of the request is longer than 128 characters."

kept=$folder/$id.json
mv "$draft" "$kept" || give_up "The result cannot be kept in $folder."

record() {
  case ${SIGNALBOX_REQUEST_TRACKER:-${ENABLE_REQUEST_TRACKER:-true}} in false) return ;; esac
  # Several words, as `npx signalbox` is.
  # shellcheck disable=SC2086
  ${SIGNALBOX_COMMAND:-npx signalbox} callback "$id" "$@" >/dev/null 2>&1 ||
    printf 'deliver-callback: Signalbox did not record "%s" of request %s. See `npx signalbox show %s`.\n' "$1" "$id" "$id" >&2
}

# A number of seconds, 20 % longer or shorter.
about() {
  awk -v wait="$1" -v chance="$(od -An -N2 -tu2 /dev/urandom)" \
    'BEGIN { printf "%.2f\n", wait * (0.8 + 0.4 * chance / 65535) }'
}

for wait in 0 1 2 4; do
  [ "$wait" = 0 ] || sleep "$(about "$wait")"
  record delivering
  status=$(printf 'url = "%s"\n' "$url" |
    curl -K - -s -o /dev/null -m 2 -w '%{http_code}' -H 'Content-Type: application/json' --data-binary "@$kept")
  case $status in
    2??)
      rm -f "$kept"
      record delivered
      exit 0
      ;;
    408 | 429) ;;
    4??) break ;;
  esac
done

record failed --error "the callback address answered with status $status"
give_up "The result of request $id was not delivered (status $status). It is kept: $kept"
