import { showingNames } from '../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  select: (name) => `${name} auswählen`,
  restore: 'Wiederherstellen',
  restoreNamed: (name) => `${name} wiederherstellen`,
  from: (path) => ` · aus ${path}`,
  deleted: '· gelöscht',
  by: (name) => ` von ${name}`,
  description:
    'Gelöschte Dateien und Ordner bleiben einige Tage erhalten und können mit ihren Links ' +
    'wiederhergestellt werden.',
  empty: 'Der Papierkorb ist leer',
  emptyText: 'Gelöschte Dateien und Ordner erscheinen hier, bis sie endgültig gelöscht werden.',
  selected: (count) => `${count} ausgewählt`,
  restoreSelected: 'Ausgewählte wiederherstellen',
  restoreAll: 'Alle wiederherstellen',
  emptyTrash: 'Papierkorb leeren',
  eraseTitle: (items) => `${items} endgültig löschen?`,
  eraseAllTitle: 'Den ganzen Inhalt des Papierkorbs endgültig löschen?',
  eraseText: 'Ordner werden mit allen Dateien darin gelöscht. Das lässt sich nicht rückgängig machen.',
  restored: (names) => `${names} wiederhergestellt`,
  deletedAgain: (names) => `${names} wieder gelöscht`,
  erased: (names) => `${names} endgültig gelöscht`,
  quoted: (name) => `„${name}“`,
});
