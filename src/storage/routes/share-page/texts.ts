import { inLanguages } from '../../../kernel/language.ts';
import { typeNames as germanTypes } from '../../../text/type-names.de.ts';
import { typeNames } from '../../../text/type-names.ts';

const english = {
  /** Of dates. */
  locale: 'en-GB',
  deadLink: 'This link no longer works',
  withdrawn: 'It was revoked, or the address is incomplete.',
  askSender: 'Ask the person who sent it for a new link.',
  protectedTitle: { file: 'A protected file', link: 'A protected link' },
  isProtected: { file: 'This file is protected', link: 'This link is protected' },
  accessKey: 'Access key',
  password: 'Password',
  open: { file: 'Open the file', link: 'Open the link' },
  sharedBy: (name: string) => `Shared by ${name}`,
  size: 'Size',
  type: 'Type',
  changed: 'Changed',
  availableUntil: 'Available until',
  download: 'Download',
  openInBrowser: 'Open',
  previewOf: (name: string) => `Preview of ${name}`,
  failed: 'The preview failed. You can download the file.',
  failedPicture: 'The picture cannot be shown. It may be damaged. You can download it.',
  damagedPicture: 'If the picture is not shown, it is damaged or too large. You can download it.',
  noPdf: 'This browser cannot display a PDF within a page.',
  failedPdf: 'The file cannot be shown here. It may be damaged or too large. You can open or download it.',
  lockedPdf: 'The file requires a password. Open or download it, and enter the password there.',
  firstPage:
    'Only the first page is shown. This browser cannot display a PDF within a page. Download the file for the rest.',
  firstPart: (size: string) => `The first ${size}. Download the file for the rest.`,
  typeNames,
};

/** Texts of the pages of shared files and links. */
export const textsOf = inLanguages(english, {
  de: {
    locale: 'de',
    deadLink: 'Dieser Link funktioniert nicht mehr',
    withdrawn: 'Er wurde widerrufen, oder die Adresse ist unvollständig.',
    askSender: 'Bitten Sie die Person, die Ihnen den Link gesendet hat, um einen neuen.',
    protectedTitle: { file: 'Eine geschützte Datei', link: 'Ein geschützter Link' },
    isProtected: { file: 'Diese Datei ist geschützt', link: 'Dieser Link ist geschützt' },
    accessKey: 'Zugriffsschlüssel',
    password: 'Passwort',
    open: { file: 'Datei öffnen', link: 'Link öffnen' },
    sharedBy: (name) => `Geteilt von ${name}`,
    size: 'Größe',
    type: 'Typ',
    changed: 'Geändert',
    availableUntil: 'Verfügbar bis',
    download: 'Herunterladen',
    openInBrowser: 'Öffnen',
    previewOf: (name) => `Vorschau von ${name}`,
    failed: 'Die Vorschau konnte nicht geladen werden. Sie können die Datei herunterladen.',
    failedPicture:
      'Das Bild kann nicht angezeigt werden. Es ist vielleicht beschädigt. Sie können es herunterladen.',
    damagedPicture:
      'Wenn das Bild nicht angezeigt wird, ist es beschädigt oder zu groß. Sie können es herunterladen.',
    noPdf: 'Dieser Browser kann PDF-Dateien nicht innerhalb einer Seite anzeigen.',
    failedPdf:
      'Die Datei kann hier nicht angezeigt werden. Sie ist vielleicht beschädigt oder zu groß. Sie können sie öffnen ' +
      'oder herunterladen.',
    lockedPdf:
      'Die Datei ist mit einem Passwort geschützt. Öffnen Sie sie oder laden Sie sie herunter, und geben Sie das ' +
      'Passwort dort ein.',
    firstPage:
      'Nur die erste Seite wird angezeigt. Dieser Browser kann PDF-Dateien nicht innerhalb einer Seite anzeigen. Für ' +
      'den Rest laden Sie die Datei herunter.',
    firstPart: (size) => `Die ersten ${size}. Für den Rest laden Sie die Datei herunter.`,
    typeNames: germanTypes,
  },
});
