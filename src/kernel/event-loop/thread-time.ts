/** Returns the CPU time of this thread in ms: without the time in which it waits for a processor. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
