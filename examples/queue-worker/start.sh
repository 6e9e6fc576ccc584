#!/bin/sh
# The worker and the web side. Several processes answer: a notification may come while another one waits for the provider.
cd "$(dirname "$0")" || exit 1
php worker.php &
PHP_CLI_SERVER_WORKERS=8 exec php -S "127.0.0.1:${PORT:-3000}" shop.php
