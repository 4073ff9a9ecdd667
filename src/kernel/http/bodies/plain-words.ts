import type { z } from '@hono/zod-openapi';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time, such as 2026-01-31T12:00:00Z',
  uuid: 'an id (GUID)',
  email: 'an e-mail address',
  url: 'a URL',
};

/** The message of an invalid field, for schemas that do not have their own. */
export function plainWords(issue: Issue): string {
  if (issue.input === undefined) return 'is required';
  if (issue.input === null) return 'must not be null';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : 'does not have the required form';
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    default:
      return 'is not valid';
  }
}

function bound(origin: string, relation: 'at least' | 'at most', limit: number | bigint): string {
  if (origin !== 'string' && origin !== 'array') return `must be ${relation} ${limit}`;
  if (relation === 'at least' && Number(limit) === 1) return 'must not be empty';
  const unit = origin === 'string' ? 'character' : 'item';
  return `must have ${relation} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
