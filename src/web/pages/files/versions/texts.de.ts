import { showingNames } from '../../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  versionTitle: (name, when) => `„${name}“ vom ${when}`,
  replaced: '· ersetzt',
  by: (name) => ` von ${name}`,
  previewVersion: (when) => `Vorschau der Version vom ${when}`,
  downloadVersion: (when) => `Version vom ${when} herunterladen`,
  restoreVersion: (when) => `Version vom ${when} wiederherstellen`,
  deleteVersion: (when) => `Version vom ${when} löschen`,
  eraseTitle: 'Diese Version endgültig löschen?',
  eraseText: 'Der aktuelle Inhalt und die anderen Versionen bleiben. Das lässt sich nicht rückgängig machen.',
  versionsOf: (name) => `Versionen von „${name}“`,
  currentContent: 'Aktueller Inhalt',
  changed: '· geändert',
  noVersions: 'Wenn der Inhalt ersetzt wird, bleibt der vorherige hier einige Zeit erhalten.',
  versionsKept: 'Die letzten 20 Versionen bleiben einige Zeit erhalten.',
  undone: (name) => `„${name}“ hat wieder den vorherigen Inhalt`,
  restoredVersion: (name) => `Version von „${name}“ wiederhergestellt`,
});
