<?php

// A shop without a framework. A notification is only a hint: the shop queries the status of the payment, and believes that
// answer. It queries open orders regularly, too, because a notification can get lost. Orders are in a file of SQLite.

declare(strict_types=1);

const CARDS = ['card-switch' => 'WALLET_SWITCH', 'card-network-a' => 'WALLET_CARD_A', 'card-network-b' => 'WALLET_CARD_B'];
const WALLETS = ['qr-wallet' => 'WALLET_QR', 'mobile-money' => 'WALLET_MOBILE', ...CARDS];
const UNPAID = "state IN ('open', 'failed', 'cancelled', 'expired')";
const MAX_AGE_SECONDS = 300;
const TIMEOUT_SECONDS = 2;
const CREDENTIALS = ['merchantId' => 'MERCHANT_ID', 'merchantApiKey' => 'MERCHANT_API_KEY', 'merchantKey' => 'MERCHANT_KEY'];

// A warning, such as that of a failed call, must not pass for an empty answer.
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message, 0, $level));

$database = new PDO('sqlite:' . (getenv('SHOP_DATA') ?: __DIR__ . '/orders.sqlite'), options: [PDO::ATTR_TIMEOUT => 10]);
$database->exec("CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, amount TEXT, currency TEXT, channel TEXT, name TEXT,
    mobile TEXT, state TEXT DEFAULT 'open', fulfilments INTEGER DEFAULT 0, paidAmount TEXT DEFAULT '0.00')");

/** Runs one statement as a separate transaction. */
function sql(string $statement, array $values = []): array
{
    global $database;
    $prepared = $database->prepare($statement);
    $prepared->execute($values);
    return $prepared->fetchAll(PDO::FETCH_ASSOC);
}

function findOrder(string $id): ?array
{
    return sql('SELECT * FROM orders WHERE id = ?', [$id])[0] ?? null;
}

/** Returns the status and the body. Throws if there is no valid answer. */
function call(string $method, string $path, ?array $body, array $headers = []): array
{
    $context = stream_context_create(['http' => [
        ...['method' => $method, 'header' => ['Content-Type: application/json', ...$headers]],
        ...['content' => $body === null ? '' : json_encode($body), 'timeout' => TIMEOUT_SECONDS, 'ignore_errors' => true],
    ]]);
    $text = file_get_contents(getenv('PAYMENTS_URL') . $path, false, $context);
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true, flags: JSON_THROW_ON_ERROR)];
}

function requestPayment(array $order): bool
{
    return call('POST', '/sandbox/init/authenticate/merchant/wallet', [
        ...array_map(getenv(...), CREDENTIALS),
        'walletName' => WALLETS[$order['channel']],
        'amount' => $order['amount'],
        'paymentCurrency' => $order['currency'],
        'paymentDescription' => "Order {$order['id']}",
        'payerName' => $order['name'],
        'payerReference' => $order['id'],
        ...['payerAccountId' => 1, 'profileId' => 1],
        ...($order['channel'] === 'mobile-money' ? ['payerMobile' => $order['mobile']] : []),
    ])[0] === 200;
}

/** Returns null if there is certainly no payment. Throws if that is unknown. */
function queryStatus(array $order): ?array
{
    $query = http_build_query(['transactionReference' => $order['id'], 'walletName' => WALLETS[$order['channel']]]);
    // Each PHP request starts without a token; cache it if the provider limits how many you may get.
    $token = call('POST', '/auth/authenticate/merchant', array_map(getenv(...), CREDENTIALS))[1]['token'];
    [$status, $body] = call('GET', "/sandbox/api/getPaymentDetails?$query", null, ["Authorization: Bearer $token"]);
    return match ($status) {
        200 => $body,
        404 => null,
        default => throw new RuntimeException("the status query was answered with $status"),
    };
}

/**
 * Ships once, and only for the right amount and currency. The statement that changes an order checks its state: a failure counts only if
 * that has not changed since the query, because it may be older than the change.
 */
function applyPayment(array $order, array $payment): void
{
    ['status' => $status, 'paymentAmount' => $amount, 'paymentCurrency' => $currency] = $payment;
    $isRight = sprintf('%.2f', $amount) === $order['amount'] && $currency === $order['currency'];
    [$id, $state] = [$order['id'], strtolower($status)];
    if ($status === 'Paid' && $isRight) {
        sql("UPDATE orders SET state = 'paid', fulfilments = 1, paidAmount = amount WHERE id = ? AND " . UNPAID, [$id]);
    } elseif (in_array($status, ['Failed', 'Cancelled', 'Expired'], true)) {
        sql("UPDATE orders SET state = ?, paidAmount = '0.00' WHERE id = ? AND state = ?", [$state, $id, $order['state']]);
    } elseif (preg_match('/^(Partly)?(Refunded|Reversed|ChargedBack)$/', $status, $found)) {
        // The status does not show how much is left after a partial change; its notification does.
        sql('UPDATE orders SET state = ?, paidAmount = ? WHERE id = ?', [$state, $found[1] ? $order['amount'] : '0.00', $id]);
    } elseif ($status === 'ChargebackReversed' && $isRight) {
        sql("UPDATE orders SET state = 'paid', paidAmount = amount WHERE id = ?", [$id]);
    } elseif ($status !== 'Processing') {
        error_log("$id is {$order['state']}, but $status for $amount $currency: look at it");
    }
}

/** Returns whether the order has a payment. */
function reconcile(array $order): bool
{
    $payment = queryStatus($order);
    if ($payment !== null) {
        applyPayment($order, $payment);
    }
    return $payment !== null;
}

/** Returns the result of the step, or the fallback if it fails. */
function attempt(callable $step, array $order, bool $fallback): bool
{
    try {
        return $step($order);
    } catch (Exception $error) {
        error_log("{$order['id']}: {$error->getMessage()}");
        return $fallback;
    }
}

function reconcileAll(string $condition): array
{
    // One order that cannot be queried now must not stop the others.
    array_map(fn (array $order) => attempt(reconcile(...), $order, false), sql("SELECT * FROM orders WHERE $condition"));
    return [204];
}

function isVerified(string $body): bool
{
    [$id, $timestamp, $signatures] =
        array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $isRecent = abs(time() - (int) $timestamp) < MAX_AGE_SECONDS;
    return $isRecent && array_filter(explode(' ', $signatures), fn ($each) => hash_equals($expected, $each)) !== [];
}

/** Returns the status and the body of the answer. */
function placeOrder(array $wanted): array
{
    ['amount' => $amount, 'currency' => $currency, 'channel' => $channel, 'payer' => $payer] = $wanted;
    $isAmount = preg_match('/^(0|[1-9]\d{0,6})\.\d\d$/D', $amount) && $amount !== '0.00';
    if (!$isAmount || $currency !== 'USD' || !isset(WALLETS[$channel])) {
        return [400];
    }
    $id = bin2hex(random_bytes(12));
    // Stored before the request, because the notification can arrive before the answer.
    $fields = [$id, $amount, $currency, $channel, $payer['name'], $payer['mobile']];
    sql('INSERT INTO orders (id, amount, currency, channel, name, mobile) VALUES (?, ?, ?, ?, ?, ?)', $fields);
    $order = findOrder($id);
    // If the outcome is unknown, the request is sent again only if there is certainly no payment.
    attempt(requestPayment(...), $order, false)
        || attempt(reconcile(...), $order, true)
        || attempt(requestPayment(...), $order, false);
    return [201, ['id' => $id]];
}

function showOrder(string $id): array
{
    $order = findOrder($id);
    return $order === null ? [404] : [200, $order];
}

function receiveNotification(string $body): array
{
    if (!isVerified($body)) {
        return [400];
    }
    // The signature covers the raw bytes, so they are parsed only after it is verified.
    $order = findOrder(json_decode($body, true, flags: JSON_THROW_ON_ERROR)['paymentReference']);
    if ($order === null) {
        // An error means that the notification is sent again.
        return [404];
    }
    reconcile($order);
    return [204];
}

(getenv('WEBHOOK_SECRET') ?: '') !== '' || exit("set WEBHOOK_SECRET; anyone could sign with an empty secret\n");
$body = file_get_contents('php://input');
$route = PHP_SAPI === 'cli' ? 'cron' : $_SERVER['REQUEST_METHOD'] . ' ' . $_SERVER['REQUEST_URI'];
[$status, $answer] = match ($route) {
    'cron' => reconcileAll("state = 'open'"),
    'POST /orders' => placeOrder(json_decode($body, true, flags: JSON_THROW_ON_ERROR)),
    'POST /webhook' => receiveNotification($body),
    // Run it nightly: the notification of a refund or a late payment can get lost, too.
    'POST /jobs/reconcile' => reconcileAll('true'),
    default => showOrder(basename($route)),
} + [200, null];
http_response_code($status);
echo json_encode($answer);
