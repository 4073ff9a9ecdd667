import { expect, test } from 'bun:test';
import { z } from 'zod';
import { LANGUAGES } from '../language.ts';
import { Problem } from '../problem.ts';
import { checked } from './body.ts';
import { fieldsIn } from './field-messages.ts';

const german = (message: string) => fieldsIn([{ path: 'a', message }], 'de')[0]?.message;

test('every message of a schema without its own has a German one', () => {
  const wrong: [z.ZodType, unknown][] = [
    [z.string(), undefined],
    [z.string(), null],
    ...[z.string(), z.number(), z.int(), z.boolean(), z.array(z.string()), z.object({})].map(
      (schema) => [schema, Symbol('other')] as [z.ZodType, unknown],
    ),
    [z.literal('one'), 'two'],
    [z.enum(['one', 'two', 'three']), 'four'],
    [z.email(), 'x'],
    [z.uuid(), 'x'],
    [z.url(), 'x'],
    [z.iso.datetime(), 'x'],
    [z.string().regex(/a/), 'x'],
    [z.string().min(1), ''],
    [z.string().min(2), ''],
    [z.string().max(1), 'xx'],
    [z.array(z.string()).min(2), []],
    [z.array(z.string()).max(1), ['x', 'x']],
    [z.int().min(3), 2],
    [z.int().max(3), 4],
    [z.union([z.string(), z.int()]), true],
  ];
  const messages = wrong.map(([schema, value]) => {
    try {
      checked(schema, value);
      return 'valid';
    } catch (error) {
      return error instanceof Problem ? (error.fields?.[0]?.message ?? '') : 'another error';
    }
  });
  const untranslated = messages.filter((message) => german(message) === message);
  expect(untranslated).toEqual(['must be one']);
});

test('a message keeps its numbers and values', () => {
  expect(german('must have at least 8 characters')).toBe('muss mindestens 8 Zeichen haben');
  expect(german('must have at most 1 character')).toBe('darf höchstens 1 Zeichen haben');
  expect(german('must be at most 3650')).toBe('darf höchstens 3650 sein');
  expect(german('must be viewer or editor')).toBe('muss einer dieser Werte sein: viewer or editor');
  expect(german(`must be one of ${LANGUAGES.join(', ')}`)).toBe('muss einer dieser Werte sein: en, de');
});

test('a message without a German one stays', () => {
  const field = { path: 'a', message: 'must be blue, like the sky at noon' };
  expect(fieldsIn([field], 'de')).toEqual([field]);
  expect(fieldsIn([{ path: 'a', message: 'is required' }], 'en')[0]?.message).toBe('is required');
});
