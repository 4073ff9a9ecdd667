/** How much is to be done. */
export interface Extent {
  /** Of each kind. */
  messages: number;
  files: number;
  /** At least. */
  kills: number;
}

/** What a run has to say. */
export interface Report {
  line(text: string): void;
  /** Notes a failure unless `holds`. */
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
