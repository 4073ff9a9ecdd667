/** Preloaded by `bun --preload`: moves the clock of a process, for tests of nodes whose clocks differ. */
const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS ?? 0);
const { now } = Date;
const Real = Date;

Date.now = () => now() + offsetMs;
globalThis.Date = new Proxy(Real, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget),
  apply: (target) => new target(target.now()).toString(),
});
