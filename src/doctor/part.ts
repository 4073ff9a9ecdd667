import { SECOND } from '../kernel/clock.ts';
import { withoutSecrets } from '../kernel/log.ts';

/** How one part of the house is. */
export interface Part {
  name: string;
  ok: boolean;
  /** One line: what was found, or what is wrong and what to do. */
  detail: string;
}

/** Something is wrong; the message says what, and what to do. */
export class Ailment extends Error {
  override readonly name = 'Ailment';
}

const LIMIT_MS = 15 * SECOND;

/** @param look gives what was found; throws an `Ailment`, or an error of whatever it asked */
export async function examine(name: string, look: () => Promise<string>): Promise<Part> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Ailment(`No answer within ${LIMIT_MS / SECOND} s.`)), LIMIT_MS);
  });
  try {
    return { name, ok: true, detail: oneLine(await Promise.race([look(), late])) };
  } catch (error) {
    return { name, ok: false, detail: oneLine(withoutSecrets(error instanceof Error ? messageOf(error) : String(error))) };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work`; what it throws becomes an ailment that ends with what to do. */
export async function orElse<Result>(remedy: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Ailment) throw error;
    throw new Ailment(`${sentence(error instanceof Error ? messageOf(error) : String(error))} ${remedy}`);
  }
}

/** Some errors of connections have no message but their causes'. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError && !error.message)
    return error.errors.map((inner) => (inner instanceof Error ? inner.message : String(inner))).join(', ');
  return error.message || error.name;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
