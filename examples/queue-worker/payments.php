<?php

declare(strict_types=1);

// What the shop asks the provider, and how it knows that a notification is the provider's.

const WALLETS = [
    'qr-wallet' => 'WALLET_QR',
    'mobile-money' => 'WALLET_MOBILE',
    'card-switch' => 'WALLET_SWITCH',
    'card-network-a' => 'WALLET_CARD_A',
    'card-network-b' => 'WALLET_CARD_B',
];
const PATIENCE_SECONDS = 2;
const OLDEST_SECONDS = 300;

// A call that fails must not pass for one that was answered with nothing.
set_error_handler(function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

function credentials(): array
{
    return [
        'merchantId' => getenv('MERCHANT_ID'),
        'merchantApiKey' => getenv('MERCHANT_API_KEY'),
        'merchantKey' => getenv('MERCHANT_KEY'),
    ];
}

/** Returns status and body. Throws where no answer comes, or one that is no JSON. */
function call(string $method, string $path, ?array $body = null, string $accessToken = ''): array
{
    $authorization = $accessToken === '' ? [] : ["Authorization: Bearer $accessToken"];
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Content-Type: application/json', ...$authorization],
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => PATIENCE_SECONDS,
        'ignore_errors' => true,
    ]]);
    $text = file_get_contents(getenv('PAYMENTS_URL') . $path, false, $context);
    $status = (int) explode(' ', $http_response_header[0])[1];
    return [$status, json_decode($text, true, flags: JSON_THROW_ON_ERROR)];
}

/** Returns the status of the answer. */
function pay(array $order): int
{
    $mobile = $order['channel'] === 'mobile-money' ? ['payerMobile' => $order['payer_mobile']] : [];
    [$status] = call('POST', '/sandbox/init/authenticate/merchant/wallet', [
        ...credentials(),
        'walletName' => WALLETS[$order['channel']],
        'amount' => $order['amount'],
        'paymentCurrency' => $order['currency'],
        'paymentDescription' => "Order {$order['id']}",
        'payerName' => $order['payer_name'],
        'payerReference' => $order['id'],
        'payerAccountId' => 1,
        'profileId' => 1,
        ...$mobile,
    ]);
    return $status;
}

/** What the provider says of an order now; null where it knows none. Throws where it cannot be asked. */
function ask(array $order): ?array
{
    static $accessToken = '';
    $query = http_build_query(['transactionReference' => $order['id'], 'walletName' => WALLETS[$order['channel']]]);
    for ($tries = 0; ; $tries += 1) {
        [$status, $body] = call('GET', "/sandbox/api/getPaymentDetails?$query", null, $accessToken);
        if ($status === 200) {
            return $body;
        }
        if ($status === 404) {
            return null;
        }
        if ($status !== 401 || $tries > 0) {
            throw new RuntimeException("the provider answered $status");
        }
        $accessToken = call('POST', '/auth/authenticate/merchant', credentials())[1]['token'];
    }
}

function isVerified(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET') ?: ''));
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $isNew = abs(time() - (int) $timestamp) < OLDEST_SECONDS;
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return $isNew && in_array(true, array_map(fn (string $each) => hash_equals($wanted, $each), $given), true);
}
