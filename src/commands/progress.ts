/** A bar that shows on a terminal how far a command has come. */
export interface Progress {
  tell(done: number, all: number): void;
  /** Takes the bar away. */
  end(): void;
}

const WIDTH = 30;
const EVERY_MS = 100;

/** @param wanted false = show nothing, as where the output is no terminal */
export function createProgress(output: { isTTY?: boolean; write(text: string): unknown }, what: string, wanted: boolean): Progress {
  if (!wanted || !output.isTTY) return { tell() {}, end() {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    tell(done, all) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const share = all === 0 ? 1 : done / all;
      const filled = Math.round(share * WIDTH);
      output.write(`\r${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)} % ${what}`);
    },
    end: () => void output.write('\r\x1b[K'),
  };
}
