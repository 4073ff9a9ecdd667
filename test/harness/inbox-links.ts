import { afterAll, beforeAll, expect } from 'bun:test';
import { type Backend, freshSettings } from './backends.ts';
import { jsonOf } from './json.ts';
import { addPerson, type Posthouse, startPosthouse } from './posthouse.ts';
import type { Person } from './teams.ts';

/** A file that visitors sent. */
interface Shown {
  id: string;
  originalName: string;
  sizeBytes: number;
  sender?: string;
  visibility: number;
}

/** Size of the workspace. */
export const QUOTA = 1_000_000;

/**
 * Registers a server on which `owner` has links that take files, for all tests of a `describe`. The returned objects
 * are filled before the first test.
 */
export function inboxLinks(backend: Backend) {
  const posthouse = {} as Posthouse;
  const owner = {} as Person;
  const call: ReturnType<typeof jsonOf> = (method, path, body) =>
    jsonOf(posthouse, owner)(method, path, body);
  let folders = 0;
  let visitors = 0;
  beforeAll(async () => {
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_BYTES: String(QUOTA),
      POSTHOUSE_MAX_FILE_BYTES: '300000',
      // As a trusted proxy, a test can have any number of client addresses.
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1,::1',
    };
    Object.assign(posthouse, await startPosthouse(settings));
    Object.assign(owner, await addPerson(settings, 'ann@example.org'));
  });
  afterAll(() => posthouse.stop());

  return {
    posthouse,
    owner,
    call,
    used: async () => (await call<{ usedBytes: number }>('GET', '/api/storage/usage')).body.usedBytes,
    /** Headers of a visitor with a separate address. */
    newVisitor: () => ({ 'X-Forwarded-For': `203.0.${++visitors >> 8}.${visitors & 255}` }),
    /** Creates a link to a new folder. */
    async newLink(settings: object = {}) {
      const name = `inbox ${folders++}`;
      const folder = (await call('POST', '/api/storage/folders', { name })).body.id;
      const { status, body } = await call<{ id: string; token: string }>('POST', '/api/storage/links', {
        folderId: folder,
        access: 'upload',
        ...settings,
      });
      expect(status).toBe(201);
      const path = `/api/storage/links/${body.id}`;
      return {
        ...body,
        folder,
        path,
        list: async () => (await call<Shown[]>('GET', `/api/storage/files/${folder}`)).body,
        state: async () => (await call<{ uploadCount: number; uploadedBytes: number }>('GET', path)).body,
      };
    },
  };
}
