import { showingNames } from '../../../showing-names.ts';

export const texts = showingNames({
  versionTitle: (name: string, when: string) => `“${name}” from ${when}`,
  replaced: '· replaced',
  by: (name: string) => ` by ${name}`,
  previewVersion: (when: string) => `Preview version from ${when}`,
  downloadVersion: (when: string) => `Download version from ${when}`,
  restoreVersion: (when: string) => `Restore version from ${when}`,
  deleteVersion: (when: string) => `Delete version from ${when}`,
  eraseTitle: 'Delete this version permanently?',
  eraseText: 'The current content and the other versions are kept. This cannot be undone.',
  versionsOf: (name: string) => `Versions of “${name}”`,
  currentContent: 'Current content',
  changed: '· changed',
  noVersions: 'When the content is replaced, the previous content is kept here for some time.',
  versionsKept: 'The last 20 versions are kept for some time.',
  undone: (name: string) => `“${name}” has its previous content again`,
  restoredVersion: (name: string) => `Restored a version of “${name}”`,
});
