// No test asks what a name stands for: machines differ in what they know, and a bare one knows not even localhost, which is
// what Node.js takes where no host is given. Jest runs this before each test file.
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
