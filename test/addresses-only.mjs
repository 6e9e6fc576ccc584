// Tests must not resolve host names, because machines differ in the names that they know; some do not even know localhost, the
// default host of Node.js. Jest runs this before each test file.
import dns from 'node:dns';
import { isIP } from 'node:net';

const { lookup } = dns;
if (lookup.name !== 'lookUpAddress') {
  dns.lookup = function lookUpAddress(host, ...rest) {
    if (isIP(host)) {
      return lookup(host, ...rest);
    }
    const error = new Error(`no test resolves a name, and this one asks for ${host}`);
    process.nextTick(rest.at(-1), Object.assign(error, { code: 'ENOTFOUND' }));
  };
}
