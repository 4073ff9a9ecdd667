import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { addPerson, openSession } from '../test/harness/accounts.ts';
import { copyFile } from '../test/harness/copy-file.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';
import { startProcess } from '../test/harness/start.ts';
import { readOptions } from './lib/options.ts';
import { photograph } from './lib/photograph.ts';
import { finish, print, record } from './lib/report.ts';
import { median } from './lib/statistics.ts';

/**
 * Opens the timeline of 10,000 photographs in Chromium, scrolls through it and measures the time of its first screen,
 * empty tiles, frames and the memory of the tab: `npm run bench -- timeline`. The browser draws without a
 * graphics processor, on the same machine.
 */
const { photographs: PHOTOGRAPHS } = readOptions('timeline');
const TARGET = { firstMs: 500, memory: 300 };
/** Number of times that the page is opened with a filled cache. */
const OPENED = 5;
const ROWS_A_SECOND = 60;
const SCROLL_MS = 15_000;
const MB = 1024 ** 2;
const DAY = 86_400_000;
const EMAIL = 'bench@example.org';

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const settings = { POSTHOUSE_DATA_DIR: join(directory, 'data'), POSTHOUSE_LOG_LEVEL: 'error' };
const { headers } = await addPerson(settings, EMAIL);
const posthouse = await startProcess(settings);

async function addPhotographs(): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(await photograph())]), 'photograph.jpg');
  const url = '/api/storage/files/root';
  const answer = await posthouse.fetch(url, { method: 'POST', headers, body: form });
  const { Id: id } = (await answer.json()) as { Id: string };
  const isMade = async () => (await posthouse.fetch(`/api/storage/files/${id}/preview`, { headers })).ok;
  while (!(await isMade())) await Bun.sleep(200);
  const placeholders = await Promise.all(
    Array.from({ length: PHOTOGRAPHS }, (_, index) => placeholder(index)),
  );
  copyFile(settings, id, PHOTOGRAPHS, (number) => ({
    original_name: `${number}.jpg`,
    placeholder: placeholders[number - 1] ?? '',
    // Every third is in portrait format.
    ...(number % 3 === 0 ? { width: 3_000, height: 4_000 } : {}),
    taken_at: Date.UTC(2014, 0, 1) + number * 0.36525 * DAY,
  }));
}

/** Returns a placeholder in a different color for each number, so that the browser decodes each. */
async function placeholder(number: number): Promise<string> {
  const background = { r: number % 256, g: (number >> 8) * 6, b: 128 };
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const pixels = sharp({ create: { width: 24, height: 18, channels: 3, background, noise } });
  return (await pixels.webp({ quality: 20 }).toBuffer()).toString('base64');
}

/** Counts the tiles in the window, those without their thumbnail, and those without a placeholder either. */
const LOOK = `(() => {
  const { innerHeight } = window;
  const tiles = [...document.querySelectorAll('.timeline-tile')].filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  const blurred = tiles.filter((tile) => {
    const image = tile.querySelector('img');
    return !image?.complete || image.naturalWidth === 0;
  });
  const empty = blurred.filter((tile) => !tile.querySelector('button')?.style.backgroundImage);
  return { tiles: tiles.length, blurred: blurred.length, empty: empty.length };
})()`;

/** Resolves when all tiles in the window have their thumbnails, to the time since the page was requested. */
const FIRST_SCREEN = `new Promise((resolve) => {
  const look = () => {
    const { tiles, blurred } = ${LOOK};
    if (tiles > 4 && blurred === 0) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Scrolls, and resolves to the counts of frames and of the tiles in them (`Seen`). */
const SCROLL = `new Promise((resolve) => {
  const scroller = document.querySelector('.timeline-scroller');
  const row = document.querySelector('.timeline-tile').getBoundingClientRect().height + 4;
  const seen = { frames: 0, tiles: 0, empty: 0, blurred: 0, longest: 0, rows: 0 };
  const started = performance.now();
  let before = started;
  const step = (now) => {
    const { tiles, empty, blurred } = ${LOOK};
    seen.frames++;
    seen.tiles += tiles;
    seen.empty += empty;
    seen.blurred += blurred;
    seen.longest = Math.max(seen.longest, now - before);
    before = now;
    seen.rows = ((now - started) / 1000) * ${ROWS_A_SECOND};
    if (now - started > ${SCROLL_MS}) return resolve(seen);
    scroller.scrollTop = seen.rows * row;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

interface Seen {
  frames: number;
  tiles: number;
  /** Tiles without any part of their picture. */
  empty: number;
  /** Tiles without their thumbnail. */
  blurred: number;
  /** Time of the longest frame, ms. */
  longest: number;
}

/** Returns the private memory of the processes of pages, in bytes. */
async function pageMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const anonymous = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  return Math.max(...anonymous.map(Number)) * 1024;
}

async function openPage(browser: Browser): Promise<Page> {
  const { cookie } = await openSession(posthouse, EMAIL);
  const context = await browser.newContext({
    baseURL: posthouse.url,
    viewport: { width: 1280, height: 860 },
  });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: posthouse.url }]);
  return await context.newPage();
}

async function firstScreens(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index <= OPENED; index++) {
    await page.goto('/timeline');
    times.push(await page.evaluate<number>(FIRST_SCREEN));
  }
  return times;
}

try {
  await addPhotographs();
  const browser = await launchChromium();
  try {
    const page = await openPage(browser);
    const [cold = 0, ...warm] = await firstScreens(page);
    print(`the timeline of ${PHOTOGRAPHS} photographs`);
    const first = `${median(warm).toFixed(0)} ms, target ${TARGET.firstMs} ms`;
    print(`  first screen ${first}; ${cold.toFixed(0)} ms with an empty cache`);
    const seen = await page.evaluate<Seen>(SCROLL);
    const { frames, tiles, empty, blurred, longest } = seen;
    const share = (count: number) => ((100 * count) / tiles).toFixed(1);
    print(`  ${ROWS_A_SECOND} rows a second for ${SCROLL_MS / 1_000} s:`);
    print(`    ${share(empty)} % of the tiles empty, target 0 %; ${share(blurred)} % blurred`);
    print(
      `  ${((frames * 1_000) / SCROLL_MS).toFixed(0)} frames a second, the longest ${longest.toFixed(0)} ms`,
    );
    const stopped = performance.now();
    await page.evaluate<number>(FIRST_SCREEN);
    const stopMs = performance.now() - stopped;
    print(`  all thumbnails ${stopMs.toFixed(0)} ms after the end`);
    const memory = (await pageMemory(browser)) / MB;
    const heap = (await page.evaluate<number>('performance.memory.usedJSHeapSize')) / MB;
    const tab = `${memory.toFixed(0)} MB, target ${TARGET.memory} MB`;
    print(`  memory of the tab ${tab}; objects of scripts ${heap.toFixed(0)} MB`);
    const firstScreen = { firstMs: median(warm), emptyCacheMs: cold };
    record('timeline', { ...firstScreen, ...seen, stopMs, memory: memory * MB, heap: heap * MB });
    finish('timeline');
  } finally {
    await browser.close();
  }
} finally {
  await posthouse.stop();
  rmSync(directory, { recursive: true, force: true });
}
