const DELAY_MS = 300;

/** Downloads files, with a delay between them: browsers drop downloads that start together. */
export function download(addresses: readonly string[]): void {
  addresses.forEach((address, index) => {
    setTimeout(() => {
      const link = document.createElement('a');
      link.href = address;
      link.download = '';
      document.body.append(link);
      link.click();
      link.remove();
    }, index * DELAY_MS);
  });
}
