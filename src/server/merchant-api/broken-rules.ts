import { BrokenRules } from '../domain/business-rules.ts';

/** What comes of domain work; the rules that it finds broken are told in the terms of the request that asked for it. */
export async function inTermsOf<Result>(
  body: unknown,
  names: Readonly<Record<string, string>>,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof BrokenRules ? error.inTermsOf(body, names) : error;
  }
}
