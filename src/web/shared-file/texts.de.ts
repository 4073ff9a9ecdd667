import type { texts as english } from './texts.ts';

export const texts: typeof english = {
  locked: 'Diese PDF-Datei ist durch ein Passwort geschützt. Laden Sie sie herunter, um sie zu öffnen.',
};
