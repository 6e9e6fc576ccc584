import { ask } from '../../api.ts';

/** An operation of the merchant API, from the OpenAPI document. */
export interface MerchantOperation {
  name: string;
  summary: string;
  method: string;
  paths: Readonly<Record<'sandbox' | 'production', string>>;
  needsToken: boolean;
  isForm: boolean;
  parameters: readonly {
    name: string;
    in: 'query' | 'path';
    description: string;
    isRequired: boolean;
    example: string;
  }[];
  /** Example bodies by name; empty if it has no body. */
  examples: Readonly<Record<string, unknown>>;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: { name?: string; in?: string; description?: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> };
}

const SANDBOX_SUFFIX = 'Sandbox';

export async function fetchOperations(): Promise<MerchantOperation[]> {
  const { paths } = await ask<OpenApiDocument>('GET', 'openapi.json');
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const pathOf = (name: string) => documented.find(({ operation }) => operation.operationId === name)?.path ?? '';
  return documented
    .filter(({ operation }) => !operation.tags.includes('control') && !operation.operationId.endsWith(SANDBOX_SUFFIX))
    .map(({ path, method, operation }) => ({
      name: operation.operationId,
      summary: operation.summary,
      method,
      paths: { production: path, sandbox: pathOf(`${operation.operationId}${SANDBOX_SUFFIX}`) },
      ...detailsOf(operation),
    }));
}

function detailsOf({ security = [], parameters = [], requestBody }: OpenApiOperation) {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const examples = content?.examples ?? (content?.example === undefined ? {} : { example: { value: content.example } });
  return {
    needsToken: security.length > 0 && security.every((each) => Object.keys(each).length > 0),
    isForm: mediaType === 'multipart/form-data',
    parameters: parameters.flatMap(({ name, in: place, description = '', required = false, example = '' }) =>
      name !== undefined && (place === 'query' || place === 'path')
        ? [{ name, in: place as 'query' | 'path', description, isRequired: required, example: String(example) }]
        : [],
    ),
    examples: Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value])),
  };
}
