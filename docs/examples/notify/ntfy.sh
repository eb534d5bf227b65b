#!/bin/sh
# Tells a phone through ntfy (https://ntfy.sh, or a server of your own) that an approval waits, or that a call raised an alarm.
# Run: NTFY_URL=https://ntfy.sh/TOPIC npx signalbox up --notify-cmd docs/examples/notify/ntfy.sh
# NOTIFY_CONTENT=1 also sends tool, session and id: whoever knows the topic's name reads them.
: "${NTFY_URL:?is not set: the address of your topic, for example https://ntfy.sh/a-name-nobody-guesses}"
text='An approval waits in Signalbox'
[ -z "$SIGNALBOX_ALARM" ] || text='Signalbox raised an alarm'
[ -z "$NOTIFY_CONTENT" ] ||
  text="$text: ${SIGNALBOX_ALARM:+$SIGNALBOX_ALARM, }${SIGNALBOX_TOOL:-a tool} in $SIGNALBOX_SESSION, ${SIGNALBOX_APPROVAL_ID:-$SIGNALBOX_CALL_ID}${SIGNALBOX_APPROVERS:+, for $SIGNALBOX_APPROVERS}"
exec curl -fsS --max-time 8 -d "$text" "$NTFY_URL"
