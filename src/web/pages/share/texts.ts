import { showingNames } from '../../showing-names.ts';

export const texts = showingNames({
  title: 'Upload shared files',
  received: (files: string, bytes: string) =>
    `${files} (${bytes}). Remove what you did not share, and choose a folder.`,
  files: 'Shared files',
  remove: (name: string) => `Remove ${name}`,
  full: (count: number) => `At most ${count} files can wait. Share the others after you have uploaded these.`,
  discard: 'Discard',
  uploadTo: (folder: string) => `Upload to “${folder}”`,
  nothing: 'Nothing to upload',
  nothingText:
    'Install Posthouse on your phone, and share pictures with it from another app. They will appear here.',
});
