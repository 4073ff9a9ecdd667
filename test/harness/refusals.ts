import { expect, test } from 'bun:test';
import type { ProblemCode } from '../../src/kernel/problem.ts';
import { PROBLEMS } from '../../src/server/problems.ts';
import { ACCOUNTS, type Operation, readDocument } from './openapi.ts';
import type { Posthouse } from './process.ts';

/** Requests to one endpoint by the code of their rejection. */
export type Refusals = Partial<Record<ProblemCode, () => Promise<Response>>>;

/** Codes that `access.test.ts` and `storage-roles.test.ts` test on every endpoint that declares them. */
const TESTED_EVERYWHERE: ReadonlySet<string> = new Set<ProblemCode>([
  'login_required',
  'cross_site_request',
  'scope_insufficient',
  'admin_required',
  'role_insufficient',
  'bad_client',
  'not_found',
  'invalid_request',
  'unsupported_media_type',
  'body_too_large',
]);

interface Section {
  posthouse(): Posthouse;
  /** Paths of the section. */
  paths: RegExp;
  /** `METHOD path code` of rejections with separate tests, because they need preparation. */
  elsewhere?: readonly string[];
}

/**
 * Tests that every code documented for the endpoints of a section has a request, and that each request is rejected
 * with its code.
 */
export function testRefusals(
  rows: Record<string, Refusals>,
  { posthouse, paths, elsewhere = [] }: Section,
): void {
  let reading: Promise<Operation[]> | undefined;
  const readOperations = () => {
    reading ??= readDocument(posthouse()).then(({ operations }) => operations);
    return reading;
  };

  test('every documented code is tested', async () => {
    const operations = await readOperations();
    // `wrong-credentials.test.ts` tests the limit of wrong tokens, which all these endpoints share.
    const sharedLimit = new Set(
      operations
        .filter(({ access }) => ACCOUNTS.includes(access))
        .map(({ name }) => `${name} too_many_attempts`),
    );
    const untested = operations
      .filter(({ path }) => paths.test(path))
      .flatMap(({ name, problems }) => problems.map((code) => ({ name, code })))
      .filter(({ name, code }) => !TESTED_EVERYWHERE.has(code) && !elsewhere.includes(`${name} ${code}`))
      .filter(({ name, code }) => !sharedLimit.has(`${name} ${code}`))
      .filter(({ name, code }) => !Object.keys(rows[name] ?? {}).includes(code));
    expect(untested).toEqual([]);
  });

  const cases = Object.entries(rows).flatMap(([name, refusals]) =>
    Object.entries(refusals).map(([code, request]) => [name, code, request] as const),
  );
  test.each(cases)('%s is refused with %s, as documented', async (name, code, request) => {
    const operations = await readOperations();
    expect(operations.find((operation) => operation.name === name)?.problems).toContain(code);
    const answer = await request();
    expect(answer.status).toBe(PROBLEMS[code]?.status ?? 0);
    const text = await answer.text();
    // A response to HEAD has no body.
    if (text === '') return;
    const problem = JSON.parse(text) as { code: string; requestId: string };
    expect([problem.code, problem.requestId]).toEqual([code, answer.headers.get('X-Request-Id') ?? '']);
  });
}
