import { sendBySkewedNodes } from '../harness/skewed-nodes.ts';
import { startProcess } from '../harness/start.ts';
import type { Extent, Report } from './report.ts';
import type { Seeded } from './seeded.ts';

/** Checks that nodes whose clocks differ send each message once, and those of a chat channel in order. */
export async function clocksDiffer(
  settings: Record<string, string>,
  _random: Seeded,
  { messages }: Extent,
  report: Report,
): Promise<void> {
  if (!settings.POSTHOUSE_DATABASE_URL) {
    report.line('skipped: the nodes of SQLite are on one machine, with one clock');
    return;
  }
  const work = { mails: messages, chats: messages, start: startProcess };
  const sent = await sendBySkewedNodes(settings, work);
  const duplicated = sent.mails.length - new Set(sent.mails).size;
  report.line(
    `clock of one of 3 nodes ${sent.skewSeconds} s ahead: ${sent.mails.length} mails, ${duplicated} duplicated`,
  );
  report.expect(new Set(sent.mails).size === messages, 'each mail arrives');
  report.expect(duplicated === 0, 'no mail arrives twice');
  const expected = Array.from({ length: messages }, (_, index) => `chat ${index}`).join();
  for (const [index, texts] of sent.channels.entries()) {
    report.line(`channel ${index}: ${texts.length} messages`);
    report.expect(texts.join() === expected, `channel ${index} gets each message once and in order`);
  }
}
