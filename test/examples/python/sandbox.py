"""Starts the sandbox as a separate program, and calls its control API."""

import json
import os
import re
import shlex
import subprocess
import urllib.request


class Sandbox:
    """Starts the sandbox on a free port. MERCHANT_SANDBOX is the command; default: npx merchant-sandbox."""

    def __init__(self):
        program = shlex.split(os.environ.get("MERCHANT_SANDBOX", "npx merchant-sandbox"))
        arguments = ["start", "--port", "0", "--data", ":memory:", "--log-level", "error"]
        self.process = subprocess.Popen(program + arguments, stdout=subprocess.PIPE, text=True)
        # The first printed address is that of the sandbox.
        for line in self.process.stdout:
            address = re.search(r"http://\S+", line)
            if address:
                self.url = address.group()
                return
        raise RuntimeError(f"the sandbox ended with {self.process.wait()}")

    def session(self, name):
        return Session(f"{self.url}/s/{name}")

    def close(self):
        self.process.terminate()
        self.process.stdout.close()
        self.process.wait()


class Session:
    """One session. `base_url` is the address for the integration under test."""

    def __init__(self, base_url):
        self.base_url = base_url

    def call(self, method, path, body=None):
        """Makes any call of the control API; /_sandbox/docs lists all of them."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.base_url}/_sandbox{path}", data, {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or "null")
