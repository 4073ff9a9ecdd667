import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  managersTitle: (name) => `Verantwortliche von „${name}“`,
  managersText:
    'Verantwortliche wählen die Mitglieder des Arbeitsbereichs. Ein Mitglied, das Sie hier hinzufügen, ' +
    'wird Verantwortlicher.',
  managers: 'Verantwortliche',
  removeNamed: (name) => `${name} entfernen`,
  removeTitle: (name) => `${name} entfernen?`,
  created: (name) => `„${name}“ angelegt`,
  managerText: 'E-Mail-Adresse des Kontos, das die Mitglieder wählt.',
  deleted: 'Gelöscht',
  noManager: 'Kein Verantwortlicher kann sich anmelden',
  ownQuota: 'Eigenes Kontingent',
  usedOf: (used, max) => `${used} von ${max}`,
  managersOf: (name) => `Verantwortliche von ${name}`,
  quota: 'Kontingent',
  quotaOf: (name) => `Kontingent von ${name}`,
  quotaGib: 'Kontingent in GiB',
  quotaText: 'Leer: Die Einstellung des Servers gilt.',
  description:
    'Speicherplatz, Kontingente und Verantwortliche. Nur Mitglieder sehen die Dateien eines Arbeitsbereichs.',
  search: 'Name oder Verantwortliche',
  noMatches: 'Keine Treffer.',
  none: 'Noch keine gemeinsamen Arbeitsbereiche.',
  personal: 'Persönliche Arbeitsbereiche',
};
