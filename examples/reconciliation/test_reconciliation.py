import json
import os
import re
import shlex
import subprocess
import unittest
import urllib.request

from reconcile import cents, read_csv, reconcile

TEN = [f"ORDER-{number + 1}" for number in range(10)]


class ReconciliationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # MERCHANT_SANDBOX: the command that starts the sandbox (default: npx merchant-sandbox).
        program = shlex.split(os.environ.get("MERCHANT_SANDBOX", "npx merchant-sandbox"))
        arguments = ["start", "--port", "0", "--data", ":memory:", "--log-level", "error"]
        cls.sandbox = subprocess.Popen(program + arguments, stdout=subprocess.PIPE, text=True)
        # The first address that it prints is its own.
        cls.url = next(re.search(r"http://\S+", line).group() for line in cls.sandbox.stdout if "http://" in line)

    @classmethod
    def tearDownClass(cls):
        cls.sandbox.terminate()
        cls.sandbox.stdout.close()
        cls.sandbox.wait()

    def begin(self, seed, scenario="payer-decides"):
        """Creates a session for this test. Its seed decides which lines are wrong."""
        self.base_url = self.url
        name = f"{self._testMethodName}-{seed}"
        facts = {"name": name, "seed": seed, "scenario": scenario, "now": "2026-03-02T10:00:00Z"}
        self.call("POST", "/_sandbox/sessions", facts)
        self.base_url = f"{self.url}/s/{name}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()

    def paid_orders(self, date, references):
        """Creates orders of 10.00 that are paid today, and returns them as the shop's own records have them."""
        for reference in references:
            order = {
                "merchantId": "M-1000",
                "merchantApiKey": "test-api-key-1000",
                "merchantKey": "test-merchant-key-1000",
                "walletName": "WALLET_QR",
                "amount": "10.00",
                "paymentCurrency": "USD",
                "paymentDescription": "Tea",
                "payerName": "Ann Payer",
                "payerReference": reference,
                "payerAccountId": 7,
                "profileId": 1,
            }
            self.call("POST", "/sandbox/init/authenticate/merchant/wallet", order)
            self.call("POST", f"/_sandbox/payments/{reference}/settle", {"outcome": "Paid"})
        return {reference: (1000, "USD", date) for reference in references}

    def a_day_later(self):
        self.call("POST", "/_sandbox/clock/advance", {"by": "P1D"})

    def file_of(self, settlement):
        return read_csv(self.call("GET", f"/_sandbox/settlements/{settlement}/file?format=csv"))

    def test_finds_nothing_in_a_correct_file(self):
        for seed in ["1", "2", "3"]:
            with self.subTest(seed=seed):
                self.begin(seed)
                orders = self.paid_orders("2026-03-02", TEN)
                self.a_day_later()
                self.assertEqual(reconcile(orders, self.file_of("settlement-1")), [])

    def test_finds_every_mistake_in_a_file_and_nothing_else(self):
        for seed in ["1", "2", "3"]:
            with self.subTest(seed=seed):
                self.begin(seed, "settlement-mismatches")
                orders = self.paid_orders("2026-03-02", TEN)
                self.a_day_later()
                rows = self.file_of("settlement-1")
                key = json.loads(self.call("GET", "/_sandbox/settlements/settlement-1/answer-key"))
                # A line that arrives in the next file looks like a missing line today.
                expected = [
                    ("missing" if finding["kind"] == "next-day" else finding["kind"], finding["reference"])
                    for finding in key["findings"]
                ]
                self.assertEqual(sorted(reconcile(orders, rows)), sorted(expected))
                # The totals are as booked, so the lines differ from them by the sum of all mistakes.
                total = sum(cents(row["net"]) for row in rows if row["record"] == "T")
                difference = sum(cents(row["net"]) for row in rows if row["record"] == "L") - total
                self.assertEqual(difference, sum(finding["difference"] for finding in key["findings"]))

    def test_accepts_a_missing_line_in_the_next_file(self):
        for seed in ["1", "2", "3"]:
            with self.subTest(seed=seed):
                self.begin(seed, "settlement-mismatches")
                first = self.paid_orders("2026-03-02", TEN)
                self.a_day_later()
                self.call("PUT", "/_sandbox/scenario", {"name": "payer-decides"})
                findings = reconcile(first, self.file_of("settlement-1"))
                missing = [reference for kind, reference in findings if kind == "missing"]
                self.assertEqual(len(missing), 2)

                second = self.paid_orders("2026-03-03", ["ORDER-11"])
                self.a_day_later()
                late, *others = reconcile(second, self.file_of("settlement-2"), missing)
                self.assertEqual((late[0], late[1] in missing, others), ("late", True, []))


if __name__ == "__main__":
    unittest.main()
