import chromium from '@sparticuz/chromium';

// Run as a program, by `launch-chromium.ts`: unpacks the browser and its fonts into the directory for temporary files.
await chromium.executablePath();
