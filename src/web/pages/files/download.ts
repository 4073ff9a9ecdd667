const APART_MS = 300;

/** Saves what lies at these addresses. Browsers drop downloads that begin at the same moment. */
export function download(addresses: readonly string[]): void {
  addresses.forEach((address, index) => {
    setTimeout(() => {
      const link = document.createElement('a');
      link.href = address;
      link.download = '';
      document.body.append(link);
      link.click();
      link.remove();
    }, index * APART_MS);
  });
}
