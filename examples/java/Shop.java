import com.fasterxml.jackson.databind.*;
import com.sun.net.httpserver.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.*;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A shop on the JDK's own web server. A notification is only a hint: the shop queries the status of the payment, and believes that
 * answer. It queries open orders regularly, too, because a notification can get lost. Each change of an order is appended to a file.
 */
public class Shop {
    record Order(String id, String amount, String currency, String channel, JsonNode payer,
        String state, int fulfilments, String paidAmount) {
        Order with(String newState, int newFulfilments, String newPaidAmount) {
            return new Order(id, amount, currency, channel, payer, newState, newFulfilments, newPaidAmount);
        }
    }

    static final Map<String, String> SETTINGS = System.getenv();
    static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    static final HttpClient HTTP = HttpClient.newHttpClient();
    static final Map<String, String> WALLETS = Map.of("qr-wallet", "WALLET_QR", "mobile-money", "WALLET_MOBILE",
        "card-switch", "WALLET_SWITCH", "card-network-a", "WALLET_CARD_A", "card-network-b", "WALLET_CARD_B");
    /** Refuses an empty secret, with which anyone could sign a notification. */
    static final SecretKeySpec SIGNING_KEY = new SecretKeySpec(
        Base64.getDecoder().decode(SETTINGS.getOrDefault("WEBHOOK_SECRET", "").replaceFirst("^whsec_", "")), "HmacSHA256");
    static final long MAX_AGE_SECONDS = 300;
    static final Duration TIMEOUT = Duration.ofSeconds(2);
    static final Path DATA = Path.of(SETTINGS.getOrDefault("SHOP_DATA", "orders.jsonl"));
    static final Map<String, String> CREDENTIALS = Map.of("merchantId", SETTINGS.get("MERCHANT_ID"),
        "merchantApiKey", SETTINGS.get("MERCHANT_API_KEY"), "merchantKey", SETTINGS.get("MERCHANT_KEY"));
    static final Map<String, Order> ORDERS = new ConcurrentHashMap<>();
    static volatile String accessToken = "";

    static synchronized void store(Order order) throws Exception {
        Files.writeString(DATA, JSON.writeValueAsString(order) + "\n", StandardOpenOption.APPEND);
        ORDERS.put(order.id, order);
    }

    static HttpResponse<String> send(String path, HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.uri(URI.create(SETTINGS.get("PAYMENTS_URL") + path)).timeout(TIMEOUT).build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> post(String path, Object body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder().header("Content-Type", "application/json");
        return send(path, request.POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    static boolean requestPayment(Order order) throws Exception {
        Map<String, Object> payment = new HashMap<>(CREDENTIALS);
        payment.putAll(Map.of("walletName", WALLETS.get(order.channel), "amount", order.amount, "paymentCurrency", order.currency,
            "paymentDescription", "Order " + order.id, "payerName", order.payer.get("name"), "payerReference", order.id,
            "payerAccountId", 1, "profileId", 1));
        payment.putAll(order.channel.equals("mobile-money") ? Map.of("payerMobile", order.payer.get("mobile")) : Map.of());
        return post("/sandbox/init/authenticate/merchant/wallet", payment).statusCode() == 200;
    }

    /** Returns null if there is certainly no payment, and throws if that is unknown. */
    static JsonNode queryStatus(Order order, boolean isRetry) throws Exception {
        String path = "/sandbox/api/getPaymentDetails?transactionReference=" + order.id + "&walletName=" + WALLETS.get(order.channel);
        HttpResponse<String> answer = send(path, HttpRequest.newBuilder().header("Authorization", "Bearer " + accessToken));
        if (answer.statusCode() == 401 && !isRetry) {
            accessToken = JSON.readTree(post("/auth/authenticate/merchant", CREDENTIALS).body()).get("token").asText();
            return queryStatus(order, true);
        }
        if (answer.statusCode() != 200 && answer.statusCode() != 404) {
            throw new IllegalStateException("the status query was answered with " + answer.statusCode());
        }
        return answer.statusCode() == 404 ? null : JSON.readTree(answer.body());
    }

    /**
     * Ships once, and only for the right amount and currency. The lock is held from reading the order to storing it. `before` is the order
     * before the query: a failure counts only if nothing has changed since, because it may be older than the change.
     */
    static synchronized void applyPayment(Order before, JsonNode payment) throws Exception {
        Order order = ORDERS.get(before.id);
        String status = payment.get("status").asText();
        String money = payment.get("paymentAmount").decimalValue().setScale(2) + " " + payment.get("paymentCurrency").asText();
        boolean isRight = money.equals(order.amount + " " + order.currency);
        boolean isUnpaid = Set.of("open", "failed", "cancelled", "expired").contains(order.state);
        if (status.equals("Paid") && isRight && isUnpaid) {
            store(order.with("paid", 1, order.amount));
        } else if (Set.of("Failed", "Cancelled", "Expired").contains(status) && order.state.equals(before.state)) {
            store(order.with(status.toLowerCase(Locale.ROOT), order.fulfilments, "0.00"));
        } else if (status.matches("(Partly)?(Refunded|Reversed|ChargedBack)")) {
            // The status does not show how much is left after a partial change; its notification does.
            String left = status.startsWith("Partly") ? order.amount : "0.00";
            store(order.with(status.toLowerCase(Locale.ROOT), order.fulfilments, left));
        } else if (status.equals("ChargebackReversed") && isRight) {
            store(order.with("paid", order.fulfilments, order.amount));
        } else if (!status.equals("Processing")) {
            System.err.printf("%s is %s, and the payment %s with %s%n", order.id, order.state, status, money);
        }
    }

    /** Returns whether the order has a payment. */
    static boolean reconcile(Order order) throws Exception {
        JsonNode payment = queryStatus(order, false);
        if (payment != null) {
            applyPayment(order, payment);
        }
        return payment != null;
    }

    /** Returns the result of the step, or the fallback if it fails. */
    static boolean attempt(Callable<Boolean> step, boolean fallback) {
        try {
            return step.call();
        } catch (Exception error) {
            System.err.println(error);
            return fallback;
        }
    }

    static void reconcileAll(Predicate<Order> isWanted) {
        // One order that cannot be queried now must not stop the others.
        ORDERS.values().stream().filter(isWanted).forEach(order -> attempt(() -> reconcile(order), false));
    }

    static boolean isVerified(Headers headers, byte[] body) throws Exception {
        String timestamp = headers.getFirst("webhook-timestamp");
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(SIGNING_KEY);
        mac.update((headers.getFirst("webhook-id") + "." + timestamp + ".").getBytes());
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        boolean isRecent = Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) < MAX_AGE_SECONDS;
        Stream<String> given = Arrays.stream(headers.getFirst("webhook-signature").split(" "));
        return isRecent && given.anyMatch(each -> MessageDigest.isEqual(each.getBytes(), expected.getBytes()));
    }

    static Object placeOrder(Order wanted) throws Exception {
        String money = wanted.amount + " " + wanted.currency;
        if (!money.matches("(?!0.00)(0|[1-9]\\d{0,6})\\.\\d\\d USD") || !WALLETS.containsKey(wanted.channel)) {
            return 400;
        }
        Order order = new Order(UUID.randomUUID().toString(), wanted.amount, "USD", wanted.channel, wanted.payer, "open", 0, "0.00");
        // Stored before the request, because the notification can arrive before the answer.
        store(order);
        // If the outcome is unknown, the request is sent again only if there is certainly no payment.
        if (!attempt(() -> requestPayment(order), false) && !attempt(() -> reconcile(order), true)) {
            attempt(() -> requestPayment(order), false);
        }
        return order;
    }

    static int receiveNotification(byte[] body) throws Exception {
        Order order = ORDERS.get(JSON.readTree(body).get("paymentReference").asText());
        // An error means that the notification is sent again.
        return order != null && reconcile(order) ? 204 : 404;
    }

    /** Returns an order, or only a status. */
    static Object handle(HttpExchange exchange) throws Exception {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Headers headers = exchange.getRequestHeaders();
        String path = exchange.getRequestURI().getPath();
        return switch (exchange.getRequestMethod() + " " + path) {
            case "POST /orders" -> placeOrder(JSON.readValue(body, Order.class));
            // The signature covers the raw bytes, so they are parsed only after it is verified.
            case "POST /webhook" -> attempt(() -> isVerified(headers, body), false) ? receiveNotification(body) : 400;
            // Run it nightly: the notification of a refund or a late payment can get lost, too.
            case "POST /jobs/reconcile" -> { reconcileAll(order -> true); yield 204; }
            default -> Objects.requireNonNullElse((Object) ORDERS.get(path.replace("/orders/", "")), 404);
        };
    }

    static void answer(HttpExchange exchange) {
        try (exchange) {
            Object answer = handle(exchange);
            byte[] body = answer instanceof Order ? JSON.writeValueAsBytes(answer) : new byte[0];
            exchange.sendResponseHeaders(answer instanceof Order ? 200 : (int) answer, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (Exception error) {
            // Without an answer, a notification is sent again.
            System.err.println(error);
        }
    }

    public static void main(String[] args) throws Exception {
        // The last line is incomplete if the process was killed while it wrote.
        String text = Files.exists(DATA) ? Files.readString(DATA) : "";
        Files.writeString(DATA, text.substring(0, text.lastIndexOf('\n') + 1));
        JSON.readerFor(Order.class).<Order>readValues(DATA.toFile()).readAll().forEach(order -> ORDERS.put(order.id, order));
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(SETTINGS.getOrDefault("PORT", "3000")));
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", Shop::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        int seconds = Integer.parseInt(SETTINGS.getOrDefault("RECONCILE_SECONDS", "60"));
        Executors.newSingleThreadScheduledExecutor()
            .scheduleWithFixedDelay(() -> reconcileAll(order -> order.state.equals("open")), seconds, seconds, TimeUnit.SECONDS);
    }
}
