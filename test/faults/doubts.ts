import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { openDatabase } from '../../src/foundation/foundation.ts';
import { type Kind, TEXT } from './kinds.ts';
import type { Report } from './report.ts';

/**
 * The messages that a peer had accepted when their server died, before it recorded them. A peer that does not recognize
 * a repeated message receives them twice, since the next server cannot find out about the first time.
 */
export interface Doubts {
  /** Adds those of a server that was just killed. No server may run. */
  add(): Promise<void>;
  /** Reports messages that arrived more than once without having been in doubt, or too many in doubt. */
  judge(kills: number, report: Report): void;
  close(): Promise<void>;
}

/** Average number at a kill, of a kind that is sent about eight times a second: an outcome is recorded at once. */
const AT_MOST = 1;
/** Time for a peer to take what the connections of a killed server still contain. */
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
    judge(kills, report) {
      for (const kind of kinds) {
        const arrived = kind.arrived();
        const doubled = new Set(arrived.filter((text, index) => arrived.indexOf(text) < index));
        const others = [...doubled].filter((text) => !found.has(text));
        const count = [...found].filter((text) => text.startsWith(`${kind.name}-`)).length;
        report.line(`${kind.name}: ${count} in doubt at ${kills} kills; ${others.length} others doubled`);
        report.expect(others.length === 0, `${kind.name}: doubled without a kill: ${others.slice(0, 10)}`);
        report.expect(count <= AT_MOST * kills, `${kind.name}: too many were in doubt`);
      }
    },
    close: () => database.close(),
  };
}
