const english = {
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  arrivedFile: 'Arrived',
  waiting: 'Waiting',
  connectionLost: 'Connection lost, trying again',
  refused: (status: number) => `Refused (${status})`,
  toSend: 'Files to send',
  choose: 'Choose files',
  drop: 'Or drop files and folders here.',
  remove: (name: string) => `Remove ${name}`,
  sizeOf: (sent: string, size: string) => `${sent} of ${size}`,
  send: (files: string) => `Send ${files}`,
  sendFiles: 'Send files',
  sending: (arrived: number, all: number) =>
    all === 1 ? 'Your file is being sent.' : `${arrived} of ${all} files have been sent.`,
  thanks: 'Thank you.',
  show: 'Show them',
};
const german: typeof english = {
  files: (count) => (count === 1 ? '1 Datei' : `${count} Dateien`),
  arrivedFile: 'Angekommen',
  waiting: 'Wartet',
  connectionLost: 'Verbindung unterbrochen, neuer Versuch',
  refused: (status) => `Abgelehnt (${status})`,
  toSend: 'Zu sendende Dateien',
  choose: 'Dateien wählen',
  drop: 'Oder legen Sie Dateien und Ordner hier ab.',
  remove: (name) => `${name} entfernen`,
  sizeOf: (sent, size) => `${sent} von ${size}`,
  send: (files) => `${files} senden`,
  sendFiles: 'Dateien senden',
  sending: (arrived, all) =>
    all === 1 ? 'Ihre Datei wird gesendet.' : `${arrived} von ${all} Dateien sind gesendet.`,
  thanks: 'Danke.',
  show: 'Dateien anzeigen',
};

export const LANGUAGE = document.documentElement.lang === 'de' ? 'de' : 'en';
export const texts = LANGUAGE === 'de' ? german : english;
