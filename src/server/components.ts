import type { Config } from '../config/config.ts';
import type { ServerFoundation } from '../foundation/foundation.ts';
import { createEventLoopWatch } from '../kernel/event-loop/event-loop.ts';
import type { ShortRequests } from '../kernel/event-loop/short-requests.ts';
import { createTimeSlices } from '../kernel/event-loop/time-slices.ts';
import { createEvents } from '../kernel/events.ts';
import { createProblems } from '../kernel/http/problems/problems.ts';
import { createAttempts } from '../kernel/limits/attempts.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { createOutbox } from '../kernel/outbox/outbox.ts';
import { createUpkeep } from '../kernel/upkeep/upkeep.ts';
import { messagesChanged } from '../messages/messages.ts';
import { createWorkspaces } from '../storage/tree/workspaces.ts';
import { GERMAN, PROBLEMS } from './problems.ts';

export type Components = ReturnType<typeof createComponents>;

/** Creates the components that several services use. */
export function createComponents(foundation: ServerFoundation, config: Config, shortRequests: ShortRequests) {
  const { database, signals, vault, clock, log, instance } = foundation;
  const metrics = createMetrics();
  const events = createEvents(signals);
  return {
    ...foundation,
    shortRequests,
    problems: createProblems(PROBLEMS, GERMAN),
    metrics,
    events,
    eventLoop: createEventLoopWatch({ log, metrics }),
    outbox: createOutbox({
      database,
      signals,
      vault,
      clock,
      log,
      metrics,
      giveWay: createTimeSlices({ shortRequests }),
      changed: (kind) => events.publish(messagesChanged(kind)),
    }),
    upkeep: createUpkeep({ database, clock, log, metrics, node: instance.id }),
    attempts: createAttempts({ database }),
    workspaces: createWorkspaces({ database, clock, limits: config.limits }),
  };
}
