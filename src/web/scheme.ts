// Loaded before the style sheet, so that the first paint uses the right color scheme.
function storedScheme(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is disabled.
    return null;
  }
}

const dark =
  storedScheme() === 'dark' ||
  (storedScheme() !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
