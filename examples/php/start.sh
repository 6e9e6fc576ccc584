#!/bin/sh
# The web server, and the reconciler that cron would run. Several processes answer: a notification can arrive while a request waits.
cd "$(dirname "$0")" || exit 1
while sleep "${RECONCILE_SECONDS:-60}"; do php shop.php; done &
PHP_CLI_SERVER_WORKERS=8 exec php -S "127.0.0.1:${PORT:-3000}" shop.php
