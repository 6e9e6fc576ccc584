// Makes and times calls to one session; a wrong answer ends the run.
const MERCHANT = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
};

export class Calls {
  #base;
  #times;
  #token = '';

  constructor(base, times) {
    this.#base = base;
    this.#times = times;
  }

  /** A call with a JSON body; resolves with its answer, parsed if it is JSON. */
  async send(method, path, body, headers = {}) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.raw(path, { method, headers: { ...type, ...headers }, body: body && JSON.stringify(body) });
  }

  async raw(path, options) {
    const started = performance.now();
    const response = await fetch(this.#base + path, { redirect: 'manual', ...options });
    const text = await response.text();
    // Clock moves are not counted, because they take as long as their jobs and receivers.
    if (!path.includes('/clock/')) {
      this.#times.push(performance.now() - started);
    }
    if (response.status >= 400) {
      throw new Error(`${options.method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
    }
    // Not by the content type, because the interface sends the JSON of a token as text/plain.
    return /^[{[]/.test(text) ? JSON.parse(text) : text;
  }

  control(method, path, body) {
    return this.send(method, `/_sandbox${path}`, body);
  }

  async authenticate() {
    ({ token: this.#token } = await this.send('POST', '/auth/authenticate/merchant', MERCHANT));
  }

  /** A call of the merchant, with the bearer token, and with the merchant's keys if it has a body. */
  merchant(method, path, body) {
    const whole = body && { ...MERCHANT, ...body };
    return this.send(method, path, whole, this.bearer);
  }

  get bearer() {
    return { authorization: `Bearer ${this.#token}` };
  }

  form(path, members) {
    return this.raw(path, { method: 'POST', body: new URLSearchParams(members) });
  }

  /** Reads an event stream until the session ends, or until the returned function is called. */
  listen(path) {
    const stop = new AbortController();
    const reading = fetch(this.#base + path, { signal: stop.signal })
      .then(async (response) => {
        for await (const _ of response.body) {
          // The content is not needed.
        }
      })
      .catch(() => undefined);
    return async () => {
      stop.abort();
      await reading;
    };
  }
}
