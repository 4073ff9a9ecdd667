import { expect, test } from 'bun:test';
import { shapeConfig } from './config.ts';
import { warningsOf } from './warnings.ts';

const KEY = 'a server key with more than 32 characters';

test.each([
  ['short', ['POSTHOUSE_METRICS_TOKEN can be guessed: set it to 16 random characters or more.']],
  ['x'.repeat(16), []],
])('the metrics token %s leads to the warnings %j at the start', (token, warnings) => {
  const { config, secrets } = shapeConfig({ POSTHOUSE_SECRET: KEY, POSTHOUSE_METRICS_TOKEN: token });
  expect(warningsOf(config, secrets)).toEqual(warnings);
});
