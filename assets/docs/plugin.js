// Where this page differs from Swagger UI: what a search finds, which operations have a lock, and what a form may lack.

/** Swagger UI calls this with its own React. */
export const plugin = ({ React: { createElement } }) => ({
  fn: {
    resolveSubtree: async (spec, path) => ({ spec: resolved(at(spec, path), spec), errors: [] }),
    opsFilter: (taggedOperations, phrase) =>
      taggedOperations
        .map((tag) => tag.update('operations', (operations) => operations.filter((each) => fits(each, phrase))))
        .filter((tag) => tag.get('operations').size > 0),
  },
  statePlugins: {
    spec: { wrapSelectors: { selectWebhooksOperations: foundWebhooks } },
    // An incomplete form is sent, too: the sandbox's refusal names what is missing, which Swagger UI does not for a file.
    oas3: { wrapSelectors: { validateShallowRequired: () => () => [] } },
  },
  wrapComponents: {
    operations: (Operations) => (props) => {
      const { specSelectors, layoutSelectors } = props;
      if (specSelectors.taggedOperations().size > 0) {
        return createElement(Operations, props);
      }
      const found = Object.keys(specSelectors.selectWebhooksOperations()).length > 0;
      return found ? null : createElement('p', { role: 'status' }, `Nothing matches "${phraseOf(layoutSelectors)}".`);
    },
    // Schemas are not searched.
    Models: (Models) => (props) => (phraseOf(props.layoutSelectors) ? null : createElement(Models, props)),
    OperationSummary: (Summary) => (props) =>
      createElement(Summary, { ...props, operationProps: withoutOptionalSecurity(props.operationProps) }),
    authorizeOperationBtn: () => (props) => lock(createElement, props),
  },
});

/** The part of the document at a path. */
function at(document, path) {
  return path.reduce((part, member) => part?.[member], document);
}

/**
 * A part with what it refers to put in its place. Swagger UI's own resolver takes any document and walks all of it for each
 * operation that is opened: a second each. In this one, all references lead to another part of it, and none in a circle.
 */
function resolved(part, document) {
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  if (Array.isArray(part)) {
    return part.map((entry) => resolved(entry, document));
  }
  if (typeof part.$ref === 'string') {
    return resolved(at(document, part.$ref.slice('#/'.length).split('/')), document);
  }
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, resolved(member, document)]));
}

/** The phrase that is searched for; Swagger UI keeps `true` where there is none yet. */
function phraseOf(layoutSelectors) {
  const phrase = layoutSelectors.currentFilter();
  return typeof phrase === 'string' ? phrase.trim() : '';
}

/** Finds operations by any words of theirs; Swagger UI itself looks at tags and paths alone. */
function fits(each, phrase) {
  const operation = each.get('operation');
  const aliases = operation.get('x-aliases')?.join(' ');
  const members = ['operationId', 'summary', 'description'].map((name) => operation.get(name));
  const text = [each.get('method'), each.get('path'), aliases, ...members].join(' ').toLowerCase();
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}

/** Swagger UI shows all webhooks, whatever is searched for. */
function foundWebhooks(select, { layoutSelectors }) {
  return (...given) => {
    const phrase = phraseOf(layoutSelectors);
    const found = Object.entries(select(...given) ?? {}).map(([name, operations]) => [
      name,
      operations.filter(({ operation, method, path }) => fits(operation.merge({ method, path }), phrase)),
    ]);
    return Object.fromEntries(found.filter(([, operations]) => operations.length > 0));
  };
}

/** An operation that also works without a token has no lock. */
function withoutOptionalSecurity(operationProps) {
  const isOptional = operationProps.get('security')?.some((requirement) => requirement.isEmpty());
  return isOptional ? operationProps.delete('security') : operationProps;
}

/** A closed lock says that a token is needed: pale until there is one. */
function lock(createElement, { isAuthorized, onClick, getComponent }) {
  const label = isAuthorized ? 'Needs a token, and sends yours' : 'Needs a token';
  return createElement(
    'button',
    { type: 'button', className: 'authorization__btn', title: label, 'aria-label': label, onClick },
    createElement(getComponent('LockAuthOperationIcon', true), { className: isAuthorized ? 'locked' : 'unlocked' }),
  );
}
