// The parser for types does not support JSX; this run with the other parser checks the imports of pages.
const { options, ...rules } = require('./import-rules.cjs');
const { parser: _, exclude: __, ...others } = options;

module.exports = { ...rules, options: others };
