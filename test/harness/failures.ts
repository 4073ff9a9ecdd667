/** Maximum number of lines kept of the output of a failed test: its error and stack, without long logs before them. */
const LINES_KEPT = 40;
/** Maximum number of failures kept; a run that fails everywhere needs no more. */
const FAILURES_KEPT = 20;

export interface Failures {
  /** @param text a part of the output of `bun test` */
  read(text: string): void;
  /** Returns the output of each failed test under the name of its file; empty without failures. */
  report(): string;
  /** Returns the number of failures, and the paths of their files. */
  found(): { files: string[]; count: number };
}

/** Collects the output of failed tests among that of thousands of passed ones. */
export function createFailures(): Failures {
  const failures: string[] = [];
  const files = new Set<string>();
  let file = '';
  let lines: string[] = [];
  let rest = '';
  let isSummary = false;

  function readLine(line: string): void {
    // The summary at the end names the failed tests again.
    isSummary ||= /^\d+ tests? failed:$/.test(line);
    if (isSummary) return;
    if (/^\S+\.test\.tsx?:$/.test(line)) {
      file = line;
      lines = [];
    } else if (line.startsWith('(pass)') || line.startsWith('(skip)')) {
      lines = [];
    } else {
      lines.push(line);
      // A hook that fails is `(fail) (unnamed)`, a process that crashes `✗ file (worker crashed: …)`.
      if (line.startsWith('(fail)') || line.startsWith('✗')) {
        files.add(/^✗ (\S+)/.exec(line)?.[1] ?? file.slice(0, -1));
        failures.push([file, ...lines.slice(-LINES_KEPT)].join('\n'));
        lines = [];
      }
    }
  }

  return {
    read(text) {
      const all = (rest + Bun.stripANSI(text)).split('\n');
      rest = all.pop() ?? '';
      for (const line of all) readLine(line);
    },
    report: () => failures.slice(0, FAILURES_KEPT).join('\n\n'),
    found: () => ({ files: [...files], count: failures.length }),
  };
}
