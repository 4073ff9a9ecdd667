/** A progress bar on a terminal. */
export interface Progress {
  show(done: number, all: number): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const EVERY_MS = 100;

/** @param wanted false = show nothing, as when the output is not a terminal */
export function createProgress(
  output: { isTTY?: boolean; write(text: string): unknown },
  wanted: boolean,
): Progress {
  if (!wanted || !output.isTTY) return { show() {}, end() {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(done, all) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const share = all === 0 ? 1 : done / all;
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      output.write(`\r${bar} ${Math.floor(share * 100)} % checked`);
    },
    end: () => void output.write('\r\x1b[K'),
  };
}
