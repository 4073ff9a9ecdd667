import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createTally } from '../tally.ts';

/** Measures how long work blocks the event loop, during which no other request is served. */
export interface EventLoopWatch {
  /** Records the start of a request. @param route one object for all requests of a route */
  begin(route: Route): void;
  /** Records its end. */
  end(route: Route): void;
  /** Starts to measure, once the server is ready. */
  start(): void;
  stop(): void;
}

export interface Route {
  method: string;
  /** Pattern of the path, which is logged: paths themselves can contain tokens. */
  path: string;
}

interface EventLoopDeps {
  log: Log;
  metrics: Metrics;
}

const CHECK_MS = 20;
/** Interval without requests, when frequent checks would only keep the processor awake. */
const IDLE_CHECK_MS = 250;
const CHECKS_UNTIL_IDLE = 50;
const LONG_MS = 100;
const WARNING_PAUSE_MS = 10 * SECOND;
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts delays in a histogram, and warns of long ones with the routes that were under way. */
export function createEventLoopWatch({ log, metrics }: EventLoopDeps): EventLoopWatch {
  const delays = metrics.histogram(
    'posthouse_event_loop_delay_seconds',
    'Time by which a timer of the event loop was late',
    [],
    BUCKETS,
  );
  const underWay = createTally<Route>();
  /** Routes of requests that ended since the last check: one that blocks the loop may end before the timer runs. */
  const ended = new Set<Route>();
  let last = 0;
  let timer: Timer | undefined;
  let intervalMs = IDLE_CHECK_MS;
  let quietChecks = 0;
  let warned = Number.NEGATIVE_INFINITY;

  function check(): void {
    const now = performance.now();
    const delayMs = Math.max(0, now - last - intervalMs);
    last = now;
    delays.observe(delayMs / SECOND);
    if (delayMs > LONG_MS) warn(delayMs, now);
    quietChecks = underWay.total + ended.size > 0 ? 0 : quietChecks + 1;
    if (intervalMs === CHECK_MS && quietChecks > CHECKS_UNTIL_IDLE) checkEvery(IDLE_CHECK_MS);
    ended.clear();
  }

  function checkEvery(ms: number): void {
    clearInterval(timer);
    intervalMs = ms;
    last = performance.now();
    timer = setInterval(check, ms).unref();
  }

  function warn(delayMs: number, now: number): void {
    const routes = [...new Set([...ended, ...underWay.keys()])]
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
    // Without a request, the process may only have waited for the processor.
    if (routes.length === 0 || now - warned < WARNING_PAUSE_MS) return;
    warned = now;
    log.warn({ delayMs: Math.round(delayMs), routes }, 'the event loop was blocked for a long time');
  }

  return {
    begin(route) {
      if (timer && intervalMs === IDLE_CHECK_MS) {
        check();
        checkEvery(CHECK_MS);
      }
      underWay.add(route, 1);
    },
    end(route) {
      ended.add(route);
      underWay.add(route, -1);
    },
    start: () => checkEvery(CHECK_MS),
    stop: () => clearInterval(timer),
  };
}
