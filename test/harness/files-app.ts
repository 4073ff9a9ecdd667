import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test';
import { freshSettings } from './backends.ts';
import { filesOf } from './files.ts';
import { addPerson, type Posthouse, startPosthouse } from './posthouse.ts';
import { openApp, type Seat } from './web.ts';

type Screen = NonNullable<Parameters<typeof openApp>[3]>;

/**
 * Registers a server for all tests of a `describe`, and an account without files for each, who opens the app at `path`
 * with `open`. The returned objects are filled before each test.
 */
export function filesApp(path: string, settings: Record<string, string> = {}) {
  const posthouse = {} as Posthouse;
  const person = {} as Awaited<ReturnType<typeof addPerson>>;
  const seat = {} as Seat;
  const headers: Record<string, string> = {};
  let count = 0;
  beforeAll(async () => {
    const all = { ...(await freshSettings('sqlite+local')), ...settings };
    Object.assign(posthouse, await startPosthouse(all));
  });
  afterAll(() => posthouse.stop());
  beforeEach(async () => {
    Object.assign(person, await addPerson(posthouse.settings, `person${++count}@example.org`));
    Object.assign(headers, person.headers);
  });
  afterEach(() => seat.leave());
  return {
    posthouse,
    person,
    seat,
    files: filesOf(posthouse, headers),
    async open(at = path, { email = person.email, ...screen }: Screen & { email?: string } = {}) {
      Object.assign(seat, await openApp(posthouse, email, at, screen));
      return seat.page;
    },
  };
}

const EMAIL = 'ann@example.org';

/**
 * Registers a server for all tests of a `describe`, with an account whose files they share, and for each test a page
 * with these files. The returned objects are filled before the tests.
 * @param prepare stores files before the first test
 */
export function sharedFilesApp(prepare?: (files: ReturnType<typeof filesOf>) => Promise<void>) {
  const posthouse = {} as Posthouse;
  const seat = {} as Seat;
  const headers: Record<string, string> = {};
  const files = filesOf(posthouse, headers);
  beforeAll(async () => {
    Object.assign(posthouse, await startPosthouse(await freshSettings('sqlite+local')));
    Object.assign(headers, (await addPerson(posthouse.settings, EMAIL)).headers);
    await prepare?.(files);
  });
  afterAll(() => posthouse.stop());
  beforeEach(async () => void Object.assign(seat, await openApp(posthouse, EMAIL, '/files')));
  afterEach(() => seat.leave());
  return { posthouse, email: EMAIL, seat, files };
}
