import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  versionTitle: (name, when) => `„${name}“ vom ${when}`,
  replaced: '· ersetzt',
  by: (name) => ` von ${name}`,
  previewVersion: (when) => `Vorschau der Version vom ${when}`,
  downloadVersion: (when) => `Version vom ${when} herunterladen`,
  restoreVersion: (when) => `Version vom ${when} wiederherstellen`,
  deleteVersion: (when) => `Version vom ${when} löschen`,
  eraseTitle: 'Diese Version endgültig löschen?',
  eraseText: 'Der jetzige Inhalt und die anderen Versionen bleiben. Das lässt sich nicht rückgängig machen.',
  erase: 'Endgültig löschen',
  versionsOf: (name) => `Versionen von „${name}“`,
  loading: 'Wird geladen',
  versions: 'Versionen',
  presentContent: 'Jetziger Inhalt',
  changed: '· geändert',
  noVersions: 'Wenn der Inhalt ersetzt wird, bleibt der vorige hier einige Tage erhalten.',
  versionsKept: 'Die letzten 20 Versionen bleiben einige Tage erhalten.',
  undone: (name) => `„${name}“ hat wieder den Inhalt von vorher`,
  restoredVersion: (name) => `Eine Version von „${name}“ wiederhergestellt`,
};
