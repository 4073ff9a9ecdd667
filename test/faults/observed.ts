import type { Answer } from './killed-server.ts';
import type { Outage } from './outages.ts';
import type { Report } from './report.ts';

/** Responses during one outage. */
export interface Counts {
  acknowledged: number;
  refused: number;
  slowestMs: number;
  /** Path of the request whose response took longest. */
  slowestPath: string;
}

const REFUSALS = [503, 507];

/** Sends requests, counts their responses, and reports those that the contract does not allow. */
export function observe(url: string, report: Report) {
  let outage: Outage | null = null;
  let counts = newCounts();

  /** Returns null when the connection broke in an outage that may break it. */
  async function send(path: string, init?: RequestInit): Promise<Answer | null> {
    const during = outage;
    try {
      // A new connection each time: the server may close an idle one just when it is used again.
      const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init, keepalive: false });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, bytes };
    } catch (error) {
      const isCut = during?.cuts ?? outage?.cuts ?? false;
      report.expect(isCut, `${during?.name ?? 'no outage'}: ${path} was not answered: ${String(error)}`);
      return null;
    }
  }

  return {
    begin(next: Outage): void {
      outage = next;
      counts = newCounts();
    },
    end(): Counts {
      outage = null;
      return counts;
    },
    async request(path: string, init?: RequestInit): Promise<Answer | null> {
      const current = counts;
      const name = outage?.name ?? 'no outage';
      const started = performance.now();
      const answer = await send(path, init);
      if (answer === null) return null;
      const ms = performance.now() - started;
      if (ms > current.slowestMs) Object.assign(current, { slowestMs: ms, slowestPath: path });
      if (answer.status < 300) current.acknowledged++;
      else current.refused++;
      const isExpected = answer.status < 500 || REFUSALS.includes(answer.status);
      report.expect(isExpected, `${name}: ${path} was answered with ${answer.status}`);
      const isHonest = answer.status !== 503 || answer.headers.has('Retry-After');
      report.expect(isHonest, `${name}: 503 to ${path} without Retry-After`);
      return answer;
    },
  };
}

function newCounts(): Counts {
  return { acknowledged: 0, refused: 0, slowestMs: 0, slowestPath: '' };
}
