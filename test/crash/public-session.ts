import { MERCHANT } from '../interface/examples.ts';

/** The response to a call. */
export interface Answer {
  status: number;
  text: string;
}

/** A record as a list of the control API has it. */
export interface Listed {
  id: string;
  [member: string]: unknown;
}

/** All that a session keeps, as it is fetched. */
export interface FetchedState {
  state: { counters: Record<string, number>; [member: string]: unknown };
  [collection: string]: unknown;
}

/** One session, called as anybody may call it. */
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

  /** A call of the merchant M-1000 that shows its access token. */
  async withToken(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body, await this.#bearer());
  }

  /** The same with a form. */
  async sendForm(path: string, body: FormData): Promise<Answer> {
    const answer = await fetch(this.#at(path), { method: 'POST', headers: await this.#bearer(), body });
    return { status: answer.status, text: await answer.text() };
  }

  /** The newest records of a list. */
  async listed(list: string): Promise<Listed[]> {
    const { status, text } = await this.control('GET', `/${list}?limit=20`);
    return status === 200 ? (JSON.parse(text) as { items: Listed[] }).items : [];
  }

  /** All that it keeps; undefined where there is no such session. */
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
