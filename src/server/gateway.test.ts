import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createShortRequests } from '../kernel/event-loop/short-requests.ts';
import { createAddresses } from '../kernel/http/address.ts';
import { createGateway } from './gateway.ts';

test.each([
  [503, 'Host: a.example\r\n\r\n'],
  [400, 'Host: a.example, b.example\r\n\r\n'],
  [501, 'Host: a.example\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
])('a response of status %i without a route has the header fields of all', async (status, rest) => {
  const gateway = createGateway(
    { host: '127.0.0.1', port: 0 },
    { shortRequests: createShortRequests(), addresses: createAddresses([]), isShared: false },
  );
  const socket = connect(gateway.port ?? 0, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nConnection: close\r\n${rest}`);
  const response = await text(socket);
  expect(response).toStartWith(`HTTP/1.1 ${status} `);
  expect(response).toMatch(/^X-Content-Type-Options: nosniff\r$/im);
  expect(response).toMatch(/^X-Request-Id: [\da-f-]{36}\r$/im);
  await gateway.cut();
});
