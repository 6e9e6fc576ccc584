<?php

declare(strict_types=1);

// Orders and the queue of notifications, in a file of SQLite: both survive whatever becomes of a process.

const TABLES = <<<SQL
    CREATE TABLE IF NOT EXISTS orders (
        id TEXT PRIMARY KEY,
        amount TEXT NOT NULL,
        currency TEXT NOT NULL,
        channel TEXT NOT NULL,
        payer_name TEXT NOT NULL,
        payer_mobile TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'open',
        fulfilments INTEGER NOT NULL DEFAULT 0,
        paid_amount TEXT NOT NULL DEFAULT '0.00'
    );
    CREATE TABLE IF NOT EXISTS queue (
        order_id TEXT PRIMARY KEY,
        tries INTEGER NOT NULL DEFAULT 0,
        due_at REAL NOT NULL
    );
    SQL;
const MOST_TRIES = 6;

function database(): PDO
{
    static $database = null;
    if ($database === null) {
        $database = new PDO('sqlite:' . (getenv('SHOP_DATA') ?: __DIR__ . '/shop.sqlite'));
        $database->exec('PRAGMA busy_timeout = 10000');
        $database->exec('PRAGMA journal_mode = WAL');
        $database->exec(TABLES);
    }
    return $database;
}

/** Runs one statement, which is whole or not at all. */
function run(string $statement, array $values = []): PDOStatement
{
    $prepared = database()->prepare($statement);
    $prepared->execute($values);
    return $prepared;
}

function addOrder(array $order): void
{
    run(
        'INSERT INTO orders (id, amount, currency, channel, payer_name, payer_mobile) VALUES (?, ?, ?, ?, ?, ?)',
        [$order['id'], $order['amount'], $order['currency'], $order['channel'], $order['payer_name'], $order['payer_mobile']],
    );
}

function findOrder(string $id): ?array
{
    return run('SELECT * FROM orders WHERE id = ?', [$id])->fetch(PDO::FETCH_ASSOC) ?: null;
}

function forgetOrders(): void
{
    run('DELETE FROM queue');
    run('DELETE FROM orders');
}

/** Has the worker ask for an order as soon as it can. One that is in the queue already is asked for once. */
function enqueue(string $orderId): void
{
    run('INSERT OR REPLACE INTO queue (order_id, due_at) VALUES (?, ?)', [$orderId, microtime(true)]);
}

/** Has the worker ask for every order: what it was not told may be news of any of them. */
function enqueueAll(): void
{
    run('INSERT OR REPLACE INTO queue (order_id, due_at) SELECT id, ? FROM orders', [microtime(true)]);
}

function nextInQueue(): ?array
{
    $found = run('SELECT * FROM queue WHERE due_at <= ? ORDER BY due_at LIMIT 1', [microtime(true)]);
    return $found->fetch(PDO::FETCH_ASSOC) ?: null;
}

/** What was queued again meanwhile has another time, and stays. */
function removeFromQueue(array $entry): void
{
    run('DELETE FROM queue WHERE order_id = ? AND due_at = ?', [$entry['order_id'], $entry['due_at']]);
}

/** Later each time; after the last one, the job that asks for all orders will ask. */
function postpone(array $entry): void
{
    if ($entry['tries'] >= MOST_TRIES) {
        removeFromQueue($entry);
        return;
    }
    run(
        'UPDATE queue SET tries = tries + 1, due_at = ? WHERE order_id = ? AND due_at = ?',
        [microtime(true) + 2 ** $entry['tries'], $entry['order_id'], $entry['due_at']],
    );
}

/**
 * Takes what is known of a payment. Goods leave once, and for the right money. A failure counts after that only if the order, as it
 * was when the provider was asked, was paid: an earlier answer may be out of date.
 */
function take(array $order, array $known): void
{
    ['status' => $status, 'paymentAmount' => $amount, 'paymentCurrency' => $currency] = $known;
    if ($status === 'Paid') {
        if (number_format((float) $amount, 2, '.', '') === $order['amount'] && $currency === $order['currency']) {
            run(
                "UPDATE orders SET state = 'paid', fulfilments = 1, paid_amount = amount WHERE id = ? AND fulfilments = 0",
                [$order['id']],
            );
        }
    } elseif (in_array($status, ['Failed', 'Cancelled', 'Expired'], true)) {
        run(
            "UPDATE orders SET state = ?, paid_amount = '0.00' WHERE id = ? AND (fulfilments = 0 OR ?)",
            [strtolower($status), $order['id'], (int) ($order['fulfilments'] > 0)],
        );
    } elseif ($status !== 'Processing') {
        // The query does not tell how much is left of a payment that was refunded in part.
        $left = in_array($status, ['Refunded', 'Reversed', 'ChargedBack'], true) ? '0.00' : $order['amount'];
        run('UPDATE orders SET state = ?, paid_amount = ? WHERE id = ?', [strtolower($status), $left, $order['id']]);
    }
}
