import { showingNames } from '../showing-names.ts';
import type { texts as english } from './texts.ts';

export const texts: typeof english = showingNames({
  apiDocs: 'API-Dokumentation',
  copied: 'Kopiert',
  tryAgain: 'Erneut versuchen',
  noConnection: 'Keine Verbindung',
  unreachable:
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, oder versuchen Sie es später erneut.',
  offline: 'Dieses Gerät ist offline. Verbinden Sie es mit dem Netz, und versuchen Sie es erneut.',
  withRequest: (message, requestId) => `${message} (Anfrage ${requestId})`,
  disabled: 'Deaktiviert',
  copy: (name) => `${name} kopieren`,
  newTokenText: 'Kopieren Sie das Token jetzt. Es wird nur einmal angezeigt.',
  inSandbox: 'In der Sandbox gespeichert.',
  delivered: 'Zugestellt.',
  willRetry: 'Gespeichert. Posthouse versucht es erneut.',
  openInChat: 'Im Chat öffnen',
  showMessage: 'Nachricht anzeigen',
  neverUsed: 'Nie verwendet',
  expires: 'läuft ab',
  expiredAt: 'abgelaufen',
  revokeNamed: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `„${name}“ widerrufen?`,
  revokeText: 'Programme mit diesem Token funktionieren sofort nicht mehr.',
  openFiles: 'Dateien öffnen',
  actionsFor: (name) => `Aktionen für ${name}`,
  enable: 'Aktivieren',
  undo: 'Rückgängig',
  showMore: 'Mehr anzeigen',
  discardChanges: 'Nicht gespeicherte Änderungen verwerfen?',
  someFailed: (items, reason) => `${items} fehlgeschlagen: ${reason}`,
});
