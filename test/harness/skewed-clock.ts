/** Preloaded by `bun --preload`: moves the clock of a process, for tests of nodes whose clocks differ. */
const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS ?? 0);
const { now } = Date;
const { randomUUIDv7 } = Bun;
const Real = Date;

Date.now = () => now() + offsetMs;
globalThis.Date = new Proxy(Real, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget),
  apply: (target) => new target(target.now()).toString(),
});

/** Ids contain the time of the clock (RFC 9562 §5.7). */
Bun.randomUUIDv7 = ((...given: [] | ['hex', number]) => {
  const id = randomUUIDv7(...(given as ['hex', number]));
  if (given.length > 0) return id;
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + offsetMs;
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}`;
}) as typeof randomUUIDv7;
