import { expect, test } from 'bun:test';
import { EventEmitter } from 'node:events';
import { createConnections } from './connections.ts';

const PROXY = '192.0.2.100';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Opens connections of a process with `descriptors`; half of them may wait for a request. */
function createServer(descriptors: number) {
  const connections = createConnections({
    descriptorLimit: () => descriptors,
    isProxy: (address) => address === PROXY,
  });
  const closed: string[] = [];
  return {
    ...connections,
    closed,
    open(name: string, remoteAddress = '192.0.2.1') {
      const events = new EventEmitter();
      const connection = Object.assign(events, {
        remoteAddress,
        destroy() {
          closed.push(name);
          events.emit('close');
          return connection as never;
        },
      });
      connections.opened(connection as never);
      return connection as never;
    },
    async turns() {
      for (let count = 0; count < 4; count++) await nextTurn();
    },
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => prefix + index);

test('the oldest connections that never sent a request are closed', async () => {
  const { open, turns, closed } = createServer(100);
  for (const name of names('silent', 53)) open(name);
  await turns();
  expect(closed).toEqual(['silent0', 'silent1', 'silent2']);
});

test('none is closed before the head that came with it can be read', async () => {
  const { open, began, turns, closed } = createServer(100);
  const first = open('first');
  for (const name of names('silent', 80)) open(name);
  expect(closed).toEqual([]);
  await nextTurn();
  began(first);
  await turns();
  expect(closed).toEqual(names('silent', 30));
});

test('of connections that wait for a further request, the one that waits longest is closed', async () => {
  const { open, began, ended, turns, closed } = createServer(100);
  const idle = names('idle', 60).map((name) => open(name));
  idle.forEach(began);
  await turns();
  expect(closed).toEqual([]);
  idle.reverse().forEach(ended);
  for (const name of names('silent', 24)) open(name);
  await turns();
  expect(closed).toEqual(names('idle', 60).reverse().slice(0, 34));
  for (const name of names('more', 10)) open(name);
  await turns();
  expect(closed.slice(34)).toEqual([...names('idle', 60).reverse().slice(34, 35), ...names('silent', 9)]);
});

test('a connection is in use until the response to its last request is sent', async () => {
  const { open, began, ended, turns, closed } = createServer(100);
  const busy = open('busy');
  began(busy);
  began(busy);
  ended(busy);
  const idle = names('idle', 51).map((name) => open(name));
  idle.forEach(began);
  idle.forEach(ended);
  open('silent');
  await turns();
  expect(closed).toEqual(['idle0', 'idle1']);
  ended(busy);
  for (const name of names('late', 2)) open(name);
  await turns();
  expect(closed.slice(2)).toEqual(['idle2', 'idle3', 'idle4']);
});

test('connections that have ended do not count', async () => {
  const { open, began, ended, turns, closed } = createServer(100);
  for (const name of names('left', 100)) {
    const left = open(name) as EventEmitter;
    if (name.endsWith('1')) began(left as never);
    left.emit('close');
    ended(left as never);
  }
  for (const name of names('silent', 50)) open(name);
  await turns();
  expect(closed).toEqual([]);
});

test('a request whose client has disconnected before its turn does not count', () => {
  const { open, began } = createServer(100);
  for (const name of names('left', 100)) {
    const left = open(name) as EventEmitter;
    left.emit('close');
    expect(began(left as never)).toBe(true);
  }
  expect(
    names('busy', 80)
      .map((name) => open(name))
      .map(began)
      .filter(Boolean),
  ).toHaveLength(75);
});

test('a process with few descriptors still takes 32 connections', async () => {
  const { open, turns, closed } = createServer(10);
  for (const name of names('silent', 33)) open(name);
  await turns();
  expect(closed).toEqual(['silent0']);
});

test('requests on more than three quarters of the descriptors are too many', () => {
  const { open, began, ended } = createServer(100);
  const connections = names('busy', 80).map((name) => open(name));
  expect(connections.map(began).filter(Boolean)).toHaveLength(75);
  // A further request on the same connection needs no other descriptor.
  const [first, second, third] = connections;
  expect(began(first as never)).toBe(true);
  expect(began(open('late'))).toBe(false);
  for (const connection of connections.slice(20)) ended(connection);
  expect(began(open('later'))).toBe(true);
  (second as unknown as EventEmitter).emit('close');
  (third as unknown as EventEmitter).emit('close');
  ended(third as never);
  const more = names('more', 60).map((name) => open(name));
  // There are 18 of the first, the late one and the later one.
  expect(more.map(began).filter(Boolean)).toHaveLength(75 - 20);
});

test('when one address has most of the requests, its oldest connections are closed for requests of others', async () => {
  const { open, began, closed } = createServer(100);
  names('other', 20)
    .map((name) => open(name, '192.0.2.2'))
    .map(began);
  // Addresses of one subscriber.
  const many = names('many', 55).map((name, index) => open(name, `2001:db8::${index}`));
  expect(many.map(began).every(Boolean)).toBe(true);
  expect(began(open('more', '2001:db8::ffff'))).toBe(false);
  expect(closed).toEqual([]);
  expect(began(open('third', '192.0.2.3'))).toBe(true);
  expect(closed).toEqual(names('many', 14));
  expect(began(open('again', '2001:db8::1'))).toBe(true);
});

test('the connections of a proxy stay, since they are of many clients', () => {
  const { open, began, closed } = createServer(100);
  names('visitor', 75)
    .map((name) => open(name, PROXY))
    .map(began);
  expect(began(open('other'))).toBe(false);
  expect(closed).toEqual([]);
});

test('connections in use leave fewer places for those that wait', async () => {
  const { open, began, turns, closed } = createServer(200);
  names('busy', 100)
    .map((name) => open(name))
    .forEach(began);
  for (const name of names('silent', 60)) open(name);
  await turns();
  expect(closed).toEqual(names('silent', 10));
});
