import { expect, test } from 'bun:test';
import type { Message } from '../../api/messages.ts';
import { messagesCsv } from './csv.ts';

const message: Message = {
  id: '0190',
  kind: 'email',
  clientId: null,
  status: 'failed',
  attempts: 2,
  parts: 1,
  title: '=1+1',
  to: ['ada@example.org', '"Grace, H" <grace@example.org>'],
  error: 'two\nlines',
  errorCode: null,
  sandbox: false,
  nextAttemptAt: null,
  dateCreated: '2026-01-02T03:04:05.000Z',
  dateFinished: null,
};

test('quotes cells, and keeps spreadsheets from running them as formulas', () => {
  expect(messagesCsv([message])).toBe(
    '\ufeffid,dateCreated,dateFinished,kind,clientId,to,title,status,attempts,error,sandbox\r\n' +
      '0190,2026-01-02T03:04:05.000Z,,email,,"ada@example.org, ""Grace, H"" <grace@example.org>",' +
      '\'=1+1,failed,2,"two\nlines",false\r\n',
  );
});
