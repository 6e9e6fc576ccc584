<?php

declare(strict_types=1);

// Takes orders from the queue, and asks the provider what became of each. A notification is a hint; the answer is what counts.

require __DIR__ . '/store.php';
require __DIR__ . '/payments.php';

const PAUSE_MICROSECONDS = 20_000;

function work(array $entry): void
{
    $order = findOrder($entry['order_id']);
    try {
        $known = $order === null ? null : ask($order);
    } catch (Throwable) {
        postpone($entry);
        return;
    }
    if ($known !== null) {
        take($order, $known);
    }
    // A status query may lag behind the notification.
    if (($known['status'] ?? '') === 'Processing') {
        postpone($entry);
    } else {
        removeFromQueue($entry);
    }
}

while (true) {
    $entry = nextInQueue();
    if ($entry === null) {
        usleep(PAUSE_MICROSECONDS);
    } else {
        work($entry);
    }
}
