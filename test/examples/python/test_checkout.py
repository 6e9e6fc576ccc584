import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from sandbox import Sandbox
from shop import is_verified, pay_for_order, status_of_order


class CheckoutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox()
        cls.addClassCleanup(cls.sandbox.close)
        cls.session = cls.sandbox.session("checkout")

    def setUp(self):
        self.session.call("POST", "/reset")
        self.session.call("PUT", "/clock", {"mode": "frozen", "now": "2026-03-01T10:00:00Z"})

    def test_an_order_is_paid_after_the_payer_has_approved(self):
        pay_for_order(self.session.base_url, "ORDER-1")
        self.assertEqual(status_of_order(self.session.base_url, "ORDER-1"), "Processing")
        self.session.call("POST", "/payments/ORDER-1/settle", {"outcome": "Paid"})
        self.assertEqual(status_of_order(self.session.base_url, "ORDER-1"), "Paid")

    def test_an_order_expires_when_the_payer_does_not_answer(self):
        pay_for_order(self.session.base_url, "ORDER-1")
        self.session.call("POST", "/clock/advance", {"by": "PT15M"})
        self.assertEqual(status_of_order(self.session.base_url, "ORDER-1"), "Expired")

    def start_receiver(self):
        """Starts a receiver; returns the statuses that it receives, by reference."""
        statuses = {}

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                is_genuine = is_verified(self.headers, body, endpoint["secret"])
                if is_genuine:
                    notification = json.loads(body)
                    statuses[notification["paymentReference"]] = notification["status"]
                self.send_response(204 if is_genuine else 400)
                self.end_headers()

            def log_message(self, *_):
                pass

        receiver = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(receiver.server_close)
        threading.Thread(target=receiver.serve_forever).start()
        self.addCleanup(receiver.shutdown)
        url = f"http://127.0.0.1:{receiver.server_port}/webhook"
        answer = self.session.call("PUT", "/webhooks/endpoints", {"endpoints": [{"url": url}]})
        [endpoint] = answer["endpoints"]
        return statuses

    def test_the_shop_is_notified_of_a_failed_payment(self):
        statuses = self.start_receiver()
        pay_for_order(self.session.base_url, "ORDER-1")
        self.session.call("POST", "/payments/ORDER-1/settle", {"outcome": "Failed"})
        # A move of a frozen clock waits for everything that is due, including the delivery.
        self.session.call("POST", "/clock/advance", {"by": "PT0S"})
        self.assertEqual(statuses, {"ORDER-1": "Failed"})

    def test_the_shop_refuses_a_notification_that_was_changed_on_its_way(self):
        statuses = self.start_receiver()
        self.session.call("PUT", "/scenario", {"name": "tampered-webhooks"})
        pay_for_order(self.session.base_url, "ORDER-1")
        self.session.call("POST", "/clock/advance", {"by": "PT5S"})
        self.assertEqual(status_of_order(self.session.base_url, "ORDER-1"), "Paid")
        self.assertEqual(statuses, {})


if __name__ == "__main__":
    unittest.main()
