import { GROUND } from './ground.ts';

const ACCENT = '#2456c8';

/** The icons, in the folder `icons`. */
export const APP_ICONS = [
  'icon.svg',
  'icon-192.png',
  'icon-512.png',
  'maskable-512.png',
  'apple-180.png',
] as const;

const DESCRIPTION = {
  en: 'Files, chat and mail for your team and its applications.',
  de: 'Dateien, Chat und E-Mail für Ihr Team und seine Anwendungen.',
};

/**
 * Returns the web app manifest (https://www.w3.org/TR/appmanifest/), from which a phone installs the app.
 * @param icons asset names by source name
 */
export function appManifest(language: keyof typeof DESCRIPTION, icons: ReadonlyMap<string, string>): string {
  const icon = (name: (typeof APP_ICONS)[number], sizes: string, purpose = 'any') => ({
    src: `/assets/${icons.get(name)}`,
    type: name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
    sizes,
    purpose,
  });
  return JSON.stringify({
    id: '/',
    start_url: '/',
    scope: '/',
    name: 'Posthouse',
    short_name: 'Posthouse',
    description: DESCRIPTION[language],
    lang: language,
    display: 'standalone',
    theme_color: ACCENT,
    background_color: GROUND.light,
    icons: [
      icon('icon-192.png', '192x192'),
      icon('icon-512.png', '512x512'),
      icon('maskable-512.png', '512x512', 'maskable'),
      icon('icon.svg', 'any'),
    ],
    // https://w3c.github.io/web-share-target/; the service worker responds to the request.
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['*/*'] }] },
    },
  });
}
