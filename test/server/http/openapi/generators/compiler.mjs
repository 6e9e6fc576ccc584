// Generators need TypeScript's compiler API, which the project's own version does not have. This hook resolves the version in this folder.
export function resolve(specifier, context, next) {
  return next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context);
}
