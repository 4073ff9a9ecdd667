// Loaded before the style sheet, so that the first paint has the right colours.
function chosenScheme(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // A browser that keeps nothing for this site.
    return null;
  }
}

const dark = chosenScheme() === 'dark' || (chosenScheme() !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
