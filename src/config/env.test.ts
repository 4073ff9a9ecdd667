import { expect, test } from 'bun:test';
import { misspeltSettings, readSettings } from './env.ts';

test('a flag takes precedence over the environment; empty values count as not set; values are trimmed', () => {
  const raw = readSettings({ port: '5000' }, { PORT: '4000', HOST: '  ', POSTHOUSE_DATA_DIR: ' /srv/data ' });
  expect(raw).toEqual({ PORT: '5000', POSTHOUSE_DATA_DIR: '/srv/data' });
});

test('a misspelled name is reported with the right one; foreign variables are ignored', () => {
  expect(misspeltSettings({ POSTHOUSE_SMPT_URL: 'x', POSTHOUSE_OIDC_CLIENTID: 'x' })).toEqual([
    'POSTHOUSE_SMPT_URL is not a setting; POSTHOUSE_SMTP_URL is.',
    'POSTHOUSE_OIDC_CLIENTID is not a setting; POSTHOUSE_OIDC_CLIENT_ID is.',
  ]);
  // Kubernetes sets these for a service named posthouse.
  expect(
    misspeltSettings({
      POSTHOUSE_PORT: 'tcp://10.0.0.1:4000',
      POSTHOUSE_SERVICE_HOST: '10.0.0.1',
      POSTHOUSE_SERVICE_PORT: '4000',
    }),
  ).toEqual([]);
});
