// Golden exchanges: text files with requests that can be pasted into a shell, and their answers. Tests compare the sandbox with
// them, and the OpenAPI document uses them as examples.
import { readdirSync, readFileSync } from 'node:fs';

export const FOLDER = 'test/interface/exchanges/';
/** The base address that the files show. */
export const PUBLIC_URL = 'http://127.0.0.1:4100';

export function exchangeFiles() {
  return readdirSync(FOLDER).filter((file) => file.endsWith('.txt'));
}

/** The title of a file, and its requests and answers as text. */
export function readExchanges(file) {
  const [title = '', ...rest] = readFileSync(FOLDER + file, 'utf8').split('\n=== request\n');
  const exchanges = rest.map((part) => {
    const [request = '', answer = ''] = part.split('\n=== answer\n');
    return { request, answer: answer.trim() };
  });
  return { title: title.trim(), exchanges };
}

/** The request that curl sends for a command in the files. */
export function parseCommand(command) {
  const [program, ...options] = wordsOf(command);
  if (program !== 'curl') {
    throw new Error(`an exchange's request begins with curl: ${command}`);
  }
  return parseOptions(options);
}

/** The request that curl sends for -X, -H, -d, --data-raw, -F and an address. */
export function parseOptions(words) {
  const options = [...words];
  const parsed = { url: '', method: '', headers: {}, body: undefined, form: undefined };
  while (options.length > 0) {
    const option = options.shift();
    if (option === '-X') {
      parsed.method = options.shift();
    } else if (option === '-H') {
      const [name, value] = options.shift().split(': ');
      parsed.headers[name] = value;
    } else if (option === '-d' || option === '--data-raw') {
      parsed.body = options.shift();
    } else if (option === '-F') {
      const [name, value] = options.shift().split(/=(.*)/s);
      parsed.form = { ...parsed.form, [name]: value };
    } else if (option !== '-s') {
      parsed.url = option;
    }
  }
  parsed.method ||= parsed.body === undefined && parsed.form === undefined ? 'GET' : 'POST';
  return parsed;
}

/** The words of a pasted command line: quotes and line continuations as a shell reads them. */
function wordsOf(command) {
  return [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

/** The examples of the OpenAPI document: all exchanges except those whose request contains a token of an earlier answer. */
export function examplesFrom(files) {
  return files.flatMap((file) => {
    const { title, exchanges } = readExchanges(file);
    const examples = exchanges.map(({ request, answer }) => {
      const { url, method, body, form } = parseCommand(request);
      const { pathname, searchParams } = new URL(url);
      const [status, text] = answer.split(/\n(.*)/s);
      return {
        name: file.replace('.txt', ''),
        title,
        method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        request: form ? withFileNames(form) : body && JSON.parse(body),
        status: Number(status),
        answer: text && JSON.parse(text),
      };
    });
    return examples.filter(({ request }, index) => !sendsTokenOf(examples.slice(0, index), request));
  });
}

/** Whether a request contains a token of an earlier answer, which is unknown to other sessions. */
function sendsTokenOf(earlier, request = {}) {
  const answerTexts = earlier.map(({ answer }) => JSON.stringify(answer)).join();
  return Object.entries(request).some(([name, value]) => /token$/i.test(name) && answerTexts.includes(`"${value}"`));
}

/** A form with the names of its files instead of the files, which an example cannot contain. */
function withFileNames(form) {
  const members = Object.entries(form).map(([name, value]) => [name, value.replace(/^@(?:.*\/)?([^/;]+);.*$/, '$1')]);
  return Object.fromEntries(members);
}
