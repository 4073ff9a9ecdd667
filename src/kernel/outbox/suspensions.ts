/** Number of checks within the time. */
const CHECKS = 6;

interface SuspensionsDeps {
  ms: number;
  /** Called when this process did not run for `ms`. */
  resumed(): void;
  /** Returns milliseconds since any fixed time; never goes back. */
  now?(): number;
}

/**
 * Detects that this process was suspended with its machine or container, or that its event loop was blocked.
 * @returns a function that ends this
 */
export function watchSuspensions({
  ms,
  resumed,
  now = () => performance.now(),
}: SuspensionsDeps): () => void {
  let last = now();
  const timer = setInterval(() => {
    const lastMs = now() - last;
    last = now();
    if (lastMs > ms) resumed();
  }, ms / CHECKS);
  return () => clearInterval(timer);
}
