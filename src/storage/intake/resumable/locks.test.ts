import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase, withClock } from '../../../../test/harness/database.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { createLocalSignals, type Signals } from '../../../kernel/database/signals.ts';
import { newId } from '../../../kernel/ids.ts';
import { createUploadLocks, UPLOAD_LOCK_MS, type UploadLocks } from './lock-rows.ts';
import { createLocker } from './locks.ts';
import { createUpload } from './upload-rows.ts';

describe.each(DATABASES)('locks of uploads on %s', (kind) => {
  const clock = { at: Date.now(), now: () => clock.at };
  let locks: UploadLocks;
  let id: string;
  let lockFor: (owner: string, signals?: Signals) => ReturnType<ReturnType<typeof createLocker>['newLock']>;
  const never = new AbortController().signal;

  beforeEach(async () => {
    const database = withClock(await emptyDatabase(kind), clock);
    const signals = createLocalSignals();
    locks = createUploadLocks({ database, clock });
    id = newId();
    await database.transaction(async (trx) => {
      await trx
        .insertInto('workspaces')
        .values({ id: 'w', name: 'w', root_folder_id: 'r', used_bytes: 0, date_created: 0 })
        .execute();
      const upload = {
        folderId: 'r',
        replaceFileId: null,
        fileName: 'a',
        mediaType: null,
        visibility: 0,
        onConflict: 'keep' as const,
        passwordHash: null,
        withAccessKey: false,
        metadata: '',
        ownerId: 'a',
        isOfLink: false,
        sender: null,
        workspaceId: 'w',
        sizeBytes: 1,
        offset: 0,
        fileId: null,
      };
      const times = { dateCreated: clock.at, expiresAt: clock.at };
      await createUpload(trx, database, { ...upload, ...times, id }, null);
    });
    lockFor = (owner, heard = signals) => createLocker({ locks, signals: heard, clock }, owner).newLock(id);
  });

  test('the holder is signalled to release a lock, and the next request gets it then', async () => {
    const [first, second] = [lockFor('first'), lockFor('second')];
    let asked = 0;
    await first.lock(never, () => {
      asked++;
      void first.unlock();
    });
    await second.lock(never, () => {});
    expect(asked).toBe(1);
    await second.unlock();
  });

  test('the holder releases a lock even if the signal is lost', async () => {
    const [first, second] = [lockFor('first'), lockFor('second', createLocalSignals())];
    await first.lock(never, () => void first.unlock());
    await second.lock(never, () => {});
    await second.unlock();
    // The next holder's lock is not wanted.
    expect(await locks.lock(id, 'third')).toBe('locked');
    expect(await locks.isWanted(id, 'third')).toBe(false);
  });

  test('a lock is refused with upload_locked while its holder keeps it, and taken over after its lease', async () => {
    const [first, second] = [lockFor('first'), lockFor('second')];
    let renewed: Promise<unknown> | undefined;
    await first.lock(never, () => {
      // The request to the holder is repeated until the lock is released.
      if (renewed) return;
      // Longer than a request waits, while the holder renews its lease.
      clock.at += 21 * SECOND;
      renewed = locks.lock(id, 'first');
    });
    await expect(second.lock(never, () => {})).rejects.toMatchObject({ code: 'upload_locked' });
    await renewed;
    clock.at += UPLOAD_LOCK_MS;
    await second.lock(never, () => {});
    await Promise.all([first.unlock(), second.unlock()]);
  });

  test('a request does not wait longer for a lock when the clock is set back', async () => {
    const [first, second] = [lockFor('first'), lockFor('second')];
    let calls = 0;
    await first.lock(never, () => {
      clock.at += (calls === 0 ? -3_600 : 21) * SECOND;
      calls++;
      void locks.lock(id, 'first');
    });
    await expect(second.lock(never, () => {})).rejects.toMatchObject({ code: 'upload_locked' });
    // An hour longer has 171 calls.
    expect(calls).toBeLessThan(100);
    await first.unlock();
  });

  test('a lock whose holder died ends after its lease when the clock is set back', async () => {
    expect(await locks.lock(id, 'dead')).toBe('locked');
    clock.at -= 3_600 * SECOND;
    expect(await locks.lock(id, 'next')).toBe('busy');
    clock.at += UPLOAD_LOCK_MS;
    expect(await locks.lock(id, 'next')).toBe('locked');
  });
});
