import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { openDatabase } from '../../src/foundation/foundation.ts';
import { type Kind, TEXT } from './kinds.ts';
import type { Report } from './report.ts';

/**
 * The messages that a peer had accepted when their server died, before it recorded that. A peer that does not recognize
 * a repeated message receives them twice, since the next server has no record that they were sent.
 */
export interface Doubts {
  /** Adds those of a server that was just killed. No server may run. */
  add(): Promise<void>;
  /** Reports messages that arrived more than once without having been in doubt, or too many in doubt. */
  check(kills: number, report: Report): void;
  close(): Promise<void>;
}

/** Maximum average per kill, for a kind that is sent about eight times a second: outcomes are recorded at once. */
const MAX_PER_KILL = 1;
/** Time for a peer to receive the bytes that the connections of a killed server still contain. */
const TAKE_MS = 200;

export async function openDoubts(settings: Record<string, string>, kinds: readonly Kind[]): Promise<Doubts> {
  const { config, secrets } = shapeConfig(readSettings({}, settings));
  const database = await openDatabase(config, secrets);
  const found = new Set<string>();
  return {
    async add() {
      await Bun.sleep(TAKE_MS);
      const arrived = new Set(kinds.flatMap((kind) => kind.arrived()));
      const rows = await database.read
        .selectFrom('outbox')
        .select('payload')
        .where('status', '=', 'queued')
        .execute();
      for (const { payload } of rows) {
        const [text] = TEXT.exec(payload) ?? [];
        if (text !== undefined && arrived.has(text)) found.add(text);
      }
    },
    check(kills, report) {
      for (const kind of kinds) {
        const arrived = kind.arrived();
        const duplicated = new Set(arrived.filter((text, index) => arrived.indexOf(text) < index));
        const others = [...duplicated].filter((text) => !found.has(text));
        const count = [...found].filter((text) => text.startsWith(`${kind.name}-`)).length;
        report.line(`${kind.name}: ${count} in doubt at ${kills} kills; ${others.length} others duplicated`);
        report.expect(others.length === 0, `${kind.name}: duplicated without a kill: ${others.slice(0, 10)}`);
        report.expect(count <= MAX_PER_KILL * kills, `${kind.name}: too many were in doubt`);
      }
    },
    close: () => database.close(),
  };
}
