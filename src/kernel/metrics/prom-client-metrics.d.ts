/** One group of the default metrics of prom-client, which declares only the function that adds all of them. */
declare module 'prom-client/lib/metrics/*.js' {
  const add: (
    registry: import('prom-client').Registry,
    options: { eventLoopMonitoringPrecision: number },
  ) => void;
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default add;
}
