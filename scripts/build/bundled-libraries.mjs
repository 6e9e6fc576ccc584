import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/**
 * Some libraries are loaded when they are first needed, by Node's own `require`, which the tests run the sources with. Here the
 * bundler must see these calls: it puts the libraries in, and still loads them late.
 *
 * @type {import('esbuild').Plugin}
 */
export const late = {
  name: 'late',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      return OWN_REQUIRE.test(source) ? { contents: source.replace(OWN_REQUIRE, ''), loader: 'ts' } : undefined;
    });
  },
};

/**
 * The tables of encodings that nobody writes JSON in any more are a quarter of all code. A body in one of them is refused.
 *
 * @type {import('esbuild').Plugin}
 */
export const smallTables = {
  name: 'small-tables',
  setup({ onLoad }) {
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/]dbcs-data\.js$/ }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Leaves out of a bundle what has a file of its own in dist/.
 *
 * @param {Readonly<Record<string, string>>} files sources by the name of that file
 * @returns {import('esbuild').Plugin}
 */
export function apart(files) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        const source = relative('.', resolve(resolveDir, path)).replaceAll('\\', '/');
        const name = Object.keys(files).find((each) => files[each] === source);
        return name && kind === 'dynamic-import' ? { path: `./${name}.cjs`, external: true } : undefined;
      });
    },
  };
}

/**
 * What is used beside the library loads the library, and holds no second one.
 *
 * @param {string} extension of the library's file in dist/
 * @returns {import('esbuild').Plugin}
 */
export function libraryBeside(extension) {
  return {
    name: 'library-beside',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/index\.ts$/ }, () => ({ path: `../index${extension}`, external: true }));
    },
  };
}
