interface CallParameter {
  name: string;
  in: string;
}

/** The path with its parameters filled in, and a query of the parameters that have a value. */
export function addressOfCall(
  template: string,
  parameters: readonly CallParameter[],
  values: Readonly<Record<string, string>>,
) {
  const query = new URLSearchParams();
  let path = template;
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'path') {
      path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    } else if (place === 'query' && value !== '') {
      query.set(name, value);
    }
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
