#!/bin/sh
# Tells a Slack channel, through an incoming webhook, that an approval waits, or that a call raised an alarm.
# Run: SLACK_WEBHOOK=https://hooks.slack.com/services/… npx signalbox up --notify-cmd docs/examples/notify/slack.sh
# NOTIFY_CONTENT=1 also sends tool, session and id: whoever is in the channel reads them.
: "${SLACK_WEBHOOK:?is not set: the address of the webhook, from the settings of your Slack app}"
text='An approval waits in Signalbox'
[ -z "$SIGNALBOX_ALARM" ] || text='Signalbox raised an alarm'
# Signalbox gives ids only, which need no quoting in JSON.
[ -z "$NOTIFY_CONTENT" ] ||
  text="$text: ${SIGNALBOX_ALARM:+$SIGNALBOX_ALARM, }${SIGNALBOX_TOOL:-a tool} in $SIGNALBOX_SESSION, ${SIGNALBOX_APPROVAL_ID:-$SIGNALBOX_CALL_ID}${SIGNALBOX_APPROVERS:+, for $SIGNALBOX_APPROVERS}"
exec curl -fsS --max-time 8 -H 'Content-Type: application/json' -d "{\"text\":\"$text\"}" "$SLACK_WEBHOOK"
