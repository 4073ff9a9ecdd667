import { showingNames } from '../../../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  membersOf: (name) => `Mitglieder von „${name}“`,
  members: 'Mitglieder',
  roleOf: (name) => `Rolle von ${name}`,
  leave: 'Verlassen',
  leaveTitle: 'Diesen Arbeitsbereich verlassen?',
  leaveText: 'Sie können seine Dateien nicht mehr öffnen. Ein Verantwortlicher kann Sie wieder hinzufügen.',
  removeNamed: (name) => `${name} entfernen`,
  removeTitle: (name) => `${name} entfernen?`,
  days90: '90 Tage',
  unlimited: 'unbegrenzt',
  tokensOf: (name) => `Zugriffstokens von „${name}“`,
  tokensText:
    'Für Anwendungen. Ein Token gilt nur für die Dateien dieses Arbeitsbereichs und gehört keiner ' +
    'Person. Senden Sie es als „Authorization: Bearer TOKEN“.',
  tokens: 'Zugriffstokens',
  renameTitle: (name) => `„${name}“ umbenennen`,
  deleteTitle: (name) => `„${name}“ löschen?`,
  deleteText:
    'Seine Mitglieder können ihn nicht mehr öffnen, und seine Links funktionieren nicht mehr. ' +
    'Verantwortliche können ihn einige Tage lang wiederherstellen; danach werden seine Dateien ' +
    'gelöscht.',
  deleteWorkspace: 'Arbeitsbereich löschen',
  leaveNamed: (name) => `„${name}“ verlassen?`,
  leaveWorkspace: 'Arbeitsbereich verlassen',
  renameWorkspace: 'Arbeitsbereich umbenennen',
  deletedWorkspaces: 'Gelöschte Arbeitsbereiche',
  restore: (name) => `„${name}“ wiederherstellen`,
  erased: 'Endgültige Löschung',
  workspaceNamed: (name) => `Arbeitsbereich: ${name}`,
  needsManager:
    'Ein Arbeitsbereich braucht einen Verantwortlichen. Machen Sie zuerst ein anderes Mitglied zum ' +
    'Verantwortlichen.',
  unknownAccount:
    'Kein Konto hat diese Adresse. Prüfen Sie sie, oder bitten Sie einen Administrator, die Person ' +
    'zuerst zu Posthouse einzuladen.',
  isMember: 'Diese Person ist bereits Mitglied. Ändern Sie die Rolle in der Liste unten.',
  restored: (name) => `„${name}“ wiederhergestellt`,
  deleted: (name) => `„${name}“ gelöscht`,
  left: (name) => `Sie haben „${name}“ verlassen`,
});
