import { createRequire } from 'node:module';

type Variables = Readonly<Record<string, unknown>>;
type Fill = (variables: Variables) => string;

const require = createRequire(import.meta.url);
const compiled = new Map<string, Fill>();

/** A value that is one placeholder and nothing else: the variable itself stands there, number or null alike. */
const SINGLE = /^\{\{([A-Za-z]+)\}\}$/;

/**
 * A JSON template with live values: texts are logic-less templates, a text that is just `{{name}}` becomes the variable's
 * own value, everything else stays. Throws where a template names a variable that there is not.
 */
export function fillTemplate(template: unknown, variables: Variables): unknown {
  if (typeof template === 'string') {
    return template.includes('{{') ? fillText(template, variables) : template;
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, variables));
  }
  if (typeof template === 'object' && template !== null) {
    const filled: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(template)) {
      filled[key] = fillTemplate(value, variables);
    }
    return filled;
  }
  return template;
}

function fillText(text: string, variables: Variables): unknown {
  const name = SINGLE.exec(text)?.[1];
  if (name === undefined) {
    return compile(text)(variables);
  }
  if (!(name in variables)) {
    throw new Error(
      `the template ${text} names a variable that there is not; there are ${Object.keys(variables).join(', ')}`,
    );
  }
  return variables[name];
}

/** Compiled on first use: most runs never need most templates, and the library takes longer to load than to run. */
function compile(text: string): Fill {
  let fill = compiled.get(text);
  if (!fill) {
    const handlebars: typeof import('handlebars') = require('handlebars');
    fill = handlebars.compile(text, { strict: true, noEscape: true, knownHelpersOnly: true });
    compiled.set(text, fill);
  }
  return fill;
}
