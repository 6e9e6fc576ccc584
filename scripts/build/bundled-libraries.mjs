import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';

const OWN_REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m;

/**
 * Some libraries are loaded on first use by a `require` that the sources create, because tests run the sources as ES modules. This
 * makes these calls visible to the bundler, which then includes the libraries, and still loads them on first use.
 *
 * @type {import('esbuild').Plugin}
 */
export const lazyRequires = {
  name: 'lazy-requires',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      return OWN_REQUIRE.test(source) ? { contents: source.replace(OWN_REQUIRE, ''), loader: 'ts' } : undefined;
    });
  },
};

/** The media types that the sandbox accepts and serves. */
const MEDIA_TYPES =
  /^(?:application\/(?:json|octet-stream|x-www-form-urlencoded)|multipart\/form-data|text\/(?:css|html|javascript|plain)|image\/(?:gif|jpeg|png|svg\+xml|webp))$/;

/**
 * Removes the tables of one-byte and two-byte encodings, which bodies do not use (JSON is UTF-8), and of unused media types: they are
 * a quarter of all code. A body in such an encoding is refused.
 *
 * @type {import('esbuild').Plugin}
 */
export const smallTables = {
  name: 'small-tables',
  setup({ onLoad }) {
    onLoad({ filter: /iconv-lite[\\/]encodings[\\/](?:dbcs-data|sbcs-data-generated)\.js$/ }, () => ({
      contents: 'module.exports = {};',
    }));
    onLoad({ filter: /mime-db[\\/]db\.json$/ }, ({ path }) => {
      const mediaTypes = Object.entries(JSON.parse(readFileSync(path, 'utf8')));
      return {
        contents: JSON.stringify(Object.fromEntries(mediaTypes.filter(([type]) => MEDIA_TYPES.test(type)))),
        loader: 'json',
      };
    });
  },
};

/**
 * The migration library can read migrations in TypeScript, and find them by patterns; both are removed, because ours are SQL in one
 * folder. The database client has a separate file.
 *
 * @type {import('esbuild').Plugin}
 */
export const migrationsInSql = {
  name: 'migrations-in-sql',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:glob|jiti|pg)$/ }, ({ path, importer }) => {
      if (!/[\\/]node-pg-migrate[\\/]/.test(importer)) {
        return undefined;
      }
      return path === 'pg' ? { path: './pg.cjs', external: true } : { path, namespace: 'omitted' };
    });
    onLoad({ filter: /./, namespace: 'omitted' }, () => ({ contents: 'exports.createJiti = () => undefined;' }));
  },
};

/**
 * Replaces unused parts of libraries by stubs. The Model Context Protocol has a validator for forms, but our server shows none. The
 * token library reads certificates and keys, but our tokens are signed with a secret. The template library works without source maps.
 *
 * @type {import('esbuild').Plugin}
 */
export const stubs = {
  name: 'stubs',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]asn1\.js[\\/]lib[\\/]asn1\.js$/ }, () => ({
      contents: `exports.define = () => ({ decode() { throw new Error('tokens are signed with a secret, not with a key'); } });`,
    }));
    onLoad({ filter: /node_modules[\\/]source-map[\\/]source-map\.js$/ }, () => ({ contents: 'module.exports = {};' }));
    onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: `export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator { getValidator() { throw new Error('this server shows no forms'); } }`,
    }));
  },
};

/**
 * Excludes from a bundle the modules that have a separate file in dist/, which is loaded on demand.
 *
 * @param {readonly string[]} names libraries, and files of the sources
 * @returns {import('esbuild').Plugin}
 */
export function separateFiles(names) {
  return {
    name: 'separate-files',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        const name = path.startsWith('.') ? relative('.', resolve(resolveDir, path)).replaceAll('\\', '/') : path;
        // A source file is separate only if it is loaded dynamically; a library always is.
        const isSeparate = path.startsWith('.')
          ? kind === 'dynamic-import' || kind === 'require-call'
          : kind !== 'entry-point';
        return isSeparate && names.includes(name)
          ? { path: `./${nameOfSeparateFile(name)}.cjs`, external: true }
          : undefined;
      });
    },
  };
}

/**
 * The name of a module's separate file in dist/, without extension.
 *
 * @param {string} name
 */
export function nameOfSeparateFile(name) {
  return basename(name, '.ts');
}

/**
 * Other entry points load the library's file instead of bundling a second copy.
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
