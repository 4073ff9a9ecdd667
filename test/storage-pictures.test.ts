import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import sharp from 'sharp';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { film } from './harness/film.ts';
import { photograph, picture, thumbnailOf } from './harness/pictures.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { wav } from './harness/wav.ts';

interface Shown {
  id: string;
  originalName: string;
  width?: number;
  height?: number;
  takenAt?: string;
  camera?: string;
  durationSeconds?: number;
  thumbnailPath?: string | null;
  placeholder?: string;
}

const onePage = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a0' } });
const twoPages = async () =>
  sharp([await picture('#f00'), await picture('#00f')], { join: { animated: true } });

describe.each(BACKENDS)('pictures on %s', (backend) => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let folder: string;
  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, (await addPerson(settings, 'ann@example.org')).headers);
    folder = await files.newFolder('photos');
    const uploads: [name: string, bytes: Uint8Array<ArrayBuffer>, folder: string][] = [
      ['beach.jpg', await photograph('2019:07:31 23:30:00', '-03:00'), folder],
      ['party.jpg', await photograph('2019:12:31 23:59:59'), folder],
      ['old.jpg', await photograph('1969:02:03 04:05:06', '+05:45'), 'root'],
      ['drawing.png', await picture('#00f', { width: 30, height: 10 }), folder],
    ];
    for (const [name, bytes, into] of uploads) {
      const { id } = await files.upload(bytes, { name, folder: into });
      await thumbnailOf(files, id);
    }
    await files.upload('only words', { name: 'notes.txt', folder });
  });
  afterAll(() => posthouse.stop());

  const list = <Item>(path: string) => files.read<Item[]>(path);
  const thumbnailOfFile = ({ id }: { id: string }) => thumbnailOf(files, id);
  const thisMonth = new Date().toISOString().slice(0, 7);

  test('show their size, upright, their camera and when they were taken', async () => {
    const shown = await list<Shown>(`/api/storage/files/${folder}`);
    const facts = shown.map(({ originalName, width, height, takenAt, camera }) =>
      [originalName, width, height, takenAt, camera].join(' '),
    );
    expect(facts).toEqual([
      'beach.jpg 20 40 2019-07-31T23:30:00-03:00 FUJIFILM X-T5',
      'drawing.png 30 10  ',
      'notes.txt    ',
      'party.jpg 20 40 2019-12-31T23:59:59 FUJIFILM X-T5',
    ]);
    const beach = shown.find(({ originalName }) => originalName === 'beach.jpg');
    expect(await files.metadata(beach?.id ?? '')).toMatchObject({ width: 20, takenAt: beach?.takenAt });
  });

  test('and audio and video state how long they play', async () => {
    const [song, video] = [
      await files.upload(wav(1.5), { name: 'song.wav' }),
      await files.upload(await film({ format: 'mp4', seconds: 2 }), { name: 'film.mp4' }),
    ];
    const factsOf = async ({ id }: { id: string }) => {
      const { durationSeconds, width, height, thumbnailPath } = (await files.metadata(id)) as Shown;
      return [durationSeconds, width, height, thumbnailPath];
    };
    for (const file of [song, video]) await until(async () => (await factsOf(file))[0] !== undefined);
    expect(await factsOf(song)).toEqual([1.5, undefined, undefined, null]);
    expect(await factsOf(video)).toEqual([2, 64, 48, null]);
    for (const { id } of [song, video]) await files.remove(id);
  });

  test('are listed in the order in which they were taken', async () => {
    const names = async (query: string) =>
      (await list<Shown>(`/api/storage/files/${folder}?sort=taken${query}`)).map((file) => file.originalName);
    expect((await names('')).slice(0, 2)).toEqual(['beach.jpg', 'party.jpg']);
    expect(await names('&order=desc')).toEqual(['notes.txt', 'drawing.png', 'party.jpg', 'beach.jpg']);
    const first = await files.get(`/api/storage/files/${folder}?sort=taken&order=desc&limit=3`);
    const next = /<([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    expect((await list<Shown>(next)).map((file) => file.originalName)).toEqual(['beach.jpg']);
  });

  test('are counted by month, in a folder and in the whole workspace', async () => {
    const inFolder = [
      { month: thisMonth, count: 1 },
      { month: '2019-12', count: 1 },
      { month: '2019-07', count: 1 },
    ];
    expect(await list<object>(`/api/storage/timeline?folderId=${folder}`)).toEqual(inFolder);
    const all = [...inFolder, { month: '1969-02', count: 1 }];
    expect(await list<object>('/api/storage/timeline')).toEqual(all);
    expect(await list<object>('/api/storage/timeline?folderId=root')).toEqual(all);
  });

  test('are listed by month, in a folder and in the whole workspace', async () => {
    const names = async (path: string) =>
      (await list<Shown>(`/api/storage/timeline/${path}`)).map((file) => file.originalName);
    await files
      .upload(await photograph('2019:07:31 23:30:00'), { name: 'beach 2.jpg' })
      .then(thumbnailOfFile);
    expect(await names(`2019-07?folderId=${folder}`)).toEqual(['beach.jpg']);
    expect((await names('2019-07')).toSorted()).toEqual(['beach 2.jpg', 'beach.jpg']);
    expect(await names('2019-12')).toEqual(['party.jpg']);
    expect(await names(`${thisMonth}?folderId=root`)).toEqual(['drawing.png']);
    expect(await names(`1969-02?folderId=${folder}`)).toEqual([]);
    const [party] = await list<Shown>('/api/storage/timeline/2019-12');
    const placeholder = await sharp(Buffer.from(party?.placeholder ?? '', 'base64')).metadata();
    expect([placeholder.format, placeholder.height]).toEqual(['webp', 24]);
    for (const month of ['2019-13', '2019-7', 'july'])
      expect((await files.get(`/api/storage/timeline/${month}`)).status).toBe(404);
  });

  test('are listed by month page by page, also of more folders than one query reads', async () => {
    const below: string[] = [];
    for (let index = 0; index < 51; index++) below.push(await files.newFolder(`folder ${index}`, folder));
    const places = [folder, below[0], below.at(-1), below[1]];
    for (const [index, into] of places.entries())
      await files
        .upload(await photograph(`2015:05:05 05:05:0${index}`), { name: `${index}.jpg`, folder: into })
        .then(thumbnailOfFile);
    for (const place of [`&folderId=${folder}`, '']) {
      const pages: string[][] = [];
      for (let path: string | undefined = `/api/storage/timeline/2015-05?limit=2${place}`; path; ) {
        const answer: Response = await files.get(path);
        pages.push(((await answer.json()) as Shown[]).map((file) => file.originalName));
        path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
      }
      expect(pages).toEqual([
        ['3.jpg', '2.jpg'],
        ['1.jpg', '0.jpg'],
      ]);
    }
  });

  test('are copied upright and without their location', async () => {
    const original = await sharp(await photograph('2015:01:01 00:00:00'))
      .keepMetadata()
      .withExifMerge({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .avif({ effort: 0 })
      .toBuffer();
    const copyOf = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
      const { id } = await files.upload(bytes, { name });
      const options = { targetFolderId: 'root', onConflict: 'rename', withoutMetadata: true };
      const answer = await files.post(`/api/storage/files/${id}/copy`, options);
      expect(answer.status).toBe(201);
      const copy = (await answer.json()) as { id: string; originalName: string; mimeType: string };
      const content = await (await files.get(`/api/storage/files/${copy.id}/content`)).bytes();
      const { width, height, exif, orientation } = await sharp(content).metadata();
      for (const each of [id, copy.id]) await files.remove(each);
      return [copy.originalName, copy.mimeType, width, height, exif, orientation];
    };
    expect((await sharp(original).metadata()).exif?.includes('FUJIFILM')).toBe(true);
    const none = [undefined, undefined];
    expect(await copyOf(new Uint8Array(original), 'sea.avif')).toEqual([
      'sea.jpg',
      'image/jpeg',
      20,
      40,
      ...none,
    ]);
    const jpeg = await photograph('2015:01:01 00:00:00');
    expect(await copyOf(jpeg, 'sea.JPEG')).toEqual(['sea (2).JPEG', 'image/jpeg', 20, 40, ...none]);
    const heic = await Bun.file(join(import.meta.dir, 'harness/upright.heic')).bytes();
    expect(await copyOf(heic, 'lake.HEIC')).toEqual(['lake.jpg', 'image/jpeg', 120, 60, ...none]);
    const png = await picture('#00f', { width: 30, height: 10 });
    expect(await copyOf(png, 'sky.png')).toEqual(['sky (2).png', 'image/png', 30, 10, ...none]);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['a TIFF of two pages', async () => (await twoPages()).tiff().toBuffer()],
    ['an animated WebP', async () => (await twoPages()).webp().toBuffer()],
    ['an animated GIF', async () => (await twoPages()).gif().toBuffer()],
    // Its last brand is that of a sequence.
    ['an AVIF sequence', async () => Buffer.from((await onePage().avif().toBuffer()).fill('avis', 24, 28))],
  ])('are not copied without metadata as the first page of %s', async (_, make) => {
    const { id } = await files.upload(new Uint8Array(await make()), { name: 'pages' });
    const options = { targetFolderId: 'root', onConflict: 'rename', withoutMetadata: true };
    const answer = await files.post(`/api/storage/files/${id}/copy`, options);
    const { code } = (await answer.json()) as { code?: string };
    expect([answer.status, code]).toEqual([422, 'not_a_picture']);
    await files.remove(id);
  });

  test('lose the facts of their old bytes when they are replaced', async () => {
    const { id } = await files.upload(await photograph('2010:01:01 00:00:00'), { name: 'replaced.jpg' });
    await thumbnailOf(files, id);
    expect((await files.replace(id, 'only words', 'replaced.txt')).status).toBe(200);
    expect(await files.metadata(id)).not.toHaveProperty('takenAt');
    expect(await files.metadata(id)).not.toHaveProperty('width');
    await files.remove(id);
  });
});
