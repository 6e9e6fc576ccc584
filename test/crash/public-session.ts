import { MERCHANT } from '../interface/examples.ts';

export interface Answer {
  status: number;
  text: string;
}

/** A record in a list of the control API. */
export interface ListedRecord {
  id: string;
  [member: string]: unknown;
}

/** The data of a session, as the control API returns it. */
export interface FetchedState {
  state: { counters: Record<string, number>; [member: string]: unknown };
  [collection: string]: unknown;
}

/** Calls a session through its public interfaces. */
export class PublicSession {
  readonly name: string;
  readonly #url: string;

  constructor(url: string, name: string) {
    this.#url = url;
    this.name = name;
  }

  async call(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const content =
      body === undefined
        ? {}
        : {
            headers: { 'content-type': 'application/json', ...headers },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          };
    const answer = await fetch(this.#at(path), { method, headers, ...content });
    return { status: answer.status, text: await answer.text() };
  }

  control(method: string, path: string, body?: object): Promise<Answer> {
    return this.call(method, `/_sandbox${path}`, body);
  }

  /** Sends a call with an access token of the merchant M-1000. */
  async withToken(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body, await this.#bearer());
  }

  /** Sends a form with an access token of the merchant M-1000. */
  async sendForm(path: string, body: FormData): Promise<Answer> {
    const answer = await fetch(this.#at(path), { method: 'POST', headers: await this.#bearer(), body });
    return { status: answer.status, text: await answer.text() };
  }

  /** The newest records in a list; none if the call is refused. */
  async newestIn(list: string): Promise<ListedRecord[]> {
    const { status, text } = await this.control('GET', `/${list}?limit=20`);
    return status === 200 ? (JSON.parse(text) as { items: ListedRecord[] }).items : [];
  }

  /** Resolves with undefined if the session does not exist. */
  async state(): Promise<FetchedState | undefined> {
    const { status, text } = await this.control('GET', '/state');
    if (status === 404) {
      return undefined;
    }
    if (status !== 200) {
      throw new Error(`GET /state of ${this.name} was answered with ${status}: ${text}`);
    }
    return JSON.parse(text);
  }

  #at(path: string): string {
    return `${this.#url}/s/${this.name}${path}`;
  }

  async #bearer(): Promise<Record<string, string>> {
    const { text } = await this.call('POST', '/auth/authenticate/merchant', MERCHANT);
    const { token } = JSON.parse(text) as { token: string };
    return { authorization: `Bearer ${token}` };
  }
}
