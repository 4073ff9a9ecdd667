import { expect, test } from 'bun:test';
import { ContentResponse, fieldsOf } from './content-response.ts';

const BYTES = new TextEncoder().encode('words');

test('header fields can be read and changed as plain ones and as `Headers`', () => {
  const response = new ContentResponse(BYTES, { status: 206, headers: { etag: '"x"' } });
  response.fields.set('content-length', '5');
  expect(response.fields.toJSON()).toEqual({ etag: '"x"', 'content-length': '5' });

  response.headers.append('Set-Cookie', 'a=b');
  response.headers.append('Set-Cookie', 'c=d');
  fieldsOf(response).set('vary', 'Accept');
  expect([...response.headers]).toEqual([
    ['content-length', '5'],
    ['etag', '"x"'],
    ['vary', 'Accept'],
    ['set-cookie', 'a=b'],
    ['set-cookie', 'c=d'],
  ]);
  expect(fieldsOf(response).toJSON()['set-cookie']).toEqual(['a=b', 'c=d']);
  expect([response.status, fieldsOf(response).get('etag')]).toEqual([206, '"x"']);
});

test('responses do not change the header fields that they share', () => {
  const headers = { etag: '"x"' } as const;
  for (const length of ['5', '6']) {
    const { fields } = new ContentResponse(BYTES, { headers });
    expect(fields.has('content-length')).toBe(false);
    fields.set('content-length', length);
    expect(fields.get('content-length')).toBe(length);
  }
  expect(headers).toEqual({ etag: '"x"' });
});
