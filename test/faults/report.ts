/** Size of a run. */
export interface Extent {
  /** Number of messages of each kind. */
  messages: number;
  files: number;
  /** Minimum number of kills. */
  kills: number;
  /** Text that the names of the outages contain; '' = all outages. */
  outage: string;
  /** Number of times that each outage happens. */
  rounds: number;
  /** Time after which no further round begins, in ms. */
  withinMs: number;
  /** Whether slow responses, recoveries and deliveries are failures; otherwise they are only printed. */
  isTimed: boolean;
  /** Length of an outage, in ms. */
  holdMs: number;
  /** Length of a run that has no other end. */
  minutes: number;
}

/** Results of a run. */
export interface Report {
  line(text: string): void;
  /** Records a failure unless `holds`. */
  expect(holds: boolean, failure: string): void;
  failures(): readonly string[];
}

export function createReport(prefix: string): Report {
  const failures: string[] = [];
  const line = (text: string) => void process.stdout.write(`${prefix}: ${text}\n`);
  return {
    line,
    expect(holds, failure) {
      if (holds) return;
      failures.push(failure);
      line(`FAILED ${failure}`);
    },
    failures: () => failures,
  };
}
