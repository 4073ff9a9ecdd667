import { expect, test } from 'bun:test';
import { z } from 'zod';
import { kernelGerman } from '../../german.ts';
import { LANGUAGES } from '../../language.ts';
import { invalidField, Problem, tooMany } from '../../problem.ts';
import { createTranslate } from '../../translations.ts';
import { checked } from '../bodies/read-body.ts';
import { germanDetail, germanFields } from './german-problem.ts';

const translate = createTranslate(kernelGerman);
const german = (message: string) => germanFields([{ path: 'a', message }], translate)[0]?.message;

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
  expect(untranslated).toEqual([]);
});

test('a message keeps its numbers and values', () => {
  expect(german('must have at least 8 characters')).toBe('muss mindestens 8 Zeichen haben');
  expect(german('must have at most 1 character')).toBe('darf höchstens 1 Zeichen haben');
  expect(german('must be at most 3650')).toBe('darf höchstens 3650 sein');
  expect(german('must be viewer or editor')).toBe('muss einer dieser Werte sein: viewer oder editor');
  expect(german(`must be one of ${LANGUAGES.join(', ')}`)).toBe('muss einer dieser Werte sein: en, de');
});

test('a message without a German one stays', () => {
  expect(german('must be blue, like the sky at noon')).toBe('must be blue, like the sky at noon');
});

test('a sentence has the facts of the problem', () => {
  const sentence = (problem: Problem, ofCode = 'Zu groß.') => germanDetail(problem, ofCode, translate);
  const tooLarge = (detail: string) => new Problem('body_too_large', detail);
  expect(sentence(tooLarge('The body may have at most 7 bytes.'))).toBe(
    'Die Anfrage darf höchstens 7 Bytes haben.',
  );
  expect(sentence(tooLarge('The body is heavy.'))).toBe('Zu groß.');
  expect(sentence(invalidField('a', 'must be at least 3'), 'Ungültig: {detail}')).toBe(
    'Ungültig: a: muss mindestens 3 sein',
  );
  const json = new Problem('invalid_request', 'The body is not JSON in UTF-8.', {
    fields: [{ path: 'body', message: 'must be JSON in UTF-8' }],
  });
  expect(sentence(json, 'Ungültig: {detail}')).toBe('Ungültig: body: muss JSON in UTF-8 sein');
});

test.each([
  [1, 'in einer Sekunde'],
  [1001, 'in 2 Sekunden'],
  [60_000, 'in 60 Sekunden'],
  [60_001, 'in 2 Minuten'],
  [3_600_001, 'in 2 Stunden'],
])('a wait of %p ms is %p', (ms, wait) => {
  expect(germanDetail(tooMany('rate_limited', 'Wait.', ms), 'Erneut {wait}.', translate)).toBe(
    `Erneut ${wait}.`,
  );
});

test('a problem without a time to wait says “später”', () => {
  expect(germanDetail(new Problem('unavailable', 'Wait.'), 'Erneut {wait}.', translate)).toBe(
    'Erneut später.',
  );
});
