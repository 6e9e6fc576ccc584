import json, os, sys, urllib.error, urllib.request

APP = os.environ.get("EXAMINE_APP", f"http://127.0.0.1:{os.environ.get('PORT', '3000')}")
HEADERS = {"Content-Type": "application/json"}

def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(APP + path, data, HEADERS), timeout=15) as answer:
        return json.loads(answer.read() or "null")

def customer(call, order=None, orderId=None):
    if call == "placeOrder":
        return {"orderId": ask("/orders", order)["id"]}
    if call == "orderState":
        try:
            found = ask(f"/orders/{orderId}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise
        return {name: found[name] for name in ("state", "fulfilments", "paidAmount")}
    return ask("/jobs/reconcile", {})

for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request.pop("id")}
    try:
        answer["result"] = customer(**request)
    except (OSError, urllib.error.HTTPError) as error:
        answer["error"] = str(error)
    print(json.dumps(answer), flush=True)
