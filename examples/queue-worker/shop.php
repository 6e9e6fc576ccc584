<?php

declare(strict_types=1);

// The shop's web side. It stores a notification, answers, and leaves the rest to the worker.

require __DIR__ . '/store.php';
require __DIR__ . '/payments.php';

/** Places an order, and asks for its money once more where there is certainly no payment yet. */
function place(array $wanted): string
{
    $order = [
        'id' => 'QUEUE-' . bin2hex(random_bytes(6)),
        'amount' => $wanted['amount'],
        'currency' => $wanted['currency'],
        'channel' => $wanted['channel'],
        'payer_name' => $wanted['payer']['name'],
        'payer_mobile' => $wanted['payer']['mobile'],
    ];
    // Before the call: a notification may come before the answer.
    addOrder($order);
    for ($tries = 0; $tries < 2; $tries += 1) {
        try {
            if (pay($order) === 200) {
                break;
            }
        } catch (Throwable) {
            // What became of the call is not known.
        }
        try {
            if (ask($order) !== null) {
                break;
            }
        } catch (Throwable) {
            break;
        }
    }
    return $order['id'];
}

/** Returns the status that a notification is acknowledged with. */
function notified(string $body): int
{
    if (!isVerified($body)) {
        return 400;
    }
    enqueue(json_decode($body, true, flags: JSON_THROW_ON_ERROR)['paymentReference']);
    return 204;
}

function show(string $id): array
{
    $order = findOrder($id);
    return $order === null ? [404, []] : [200, [
        'state' => $order['state'],
        'fulfilments' => $order['fulfilments'],
        'paidAmount' => $order['paid_amount'],
    ]];
}

function reconcile(): int
{
    enqueueAll();
    return 204;
}

function forget(): int
{
    forgetOrders();
    return 204;
}

$body = file_get_contents('php://input');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
[$status, $answer] = match ("{$_SERVER['REQUEST_METHOD']} $path") {
    'POST /orders' => [201, ['id' => place(json_decode($body, true, flags: JSON_THROW_ON_ERROR))]],
    'POST /webhook' => [notified($body), null],
    // Nightly in production, for whatever no notification came of.
    'POST /jobs/reconcile' => [reconcile(), null],
    'DELETE /orders' => [forget(), null],
    default => show(preg_replace('#^/orders/#', '', $path)),
};
http_response_code($status);
header('Content-Type: application/json');
echo $answer === null ? '' : json_encode($answer);
