/** Installs the service worker, where the browser has them: over https and on localhost. */
export function registerServiceWorker(): void {
  // A browser can refuse, for instance in a private window. The app works without it.
  void navigator.serviceWorker?.register('/service-worker.js').catch(() => {});
}
