// The parser that knows types takes no JSX; this run, with the other parser, sees what the pages import.
const { options, ...rules } = require('./import-rules.cjs');
const { parser: _, exclude: __, ...others } = options;

module.exports = { ...rules, options: others };
