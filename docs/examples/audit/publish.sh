#!/bin/sh
# Publishes each checkpoint of the audit log on a NATS server of others, who keep it:
#   signalbox up --checkpoint-cmd docs/examples/audit/publish.sh
set -eu
nats pub audit.checkpoints "$SIGNALBOX_CHECKPOINT"
