import { expect, test } from 'bun:test';
import { readableType } from './readable-type.ts';
import { typeNames as german } from './type-names.de.ts';
import { typeNames } from './type-names.ts';

const NAMES: readonly [string, string, string][] = [
  ['application/zip', 'ZIP archive', 'ZIP-Archiv'],
  ['image/png', 'PNG image', 'PNG-Bild'],
  ['image/svg+xml', 'SVG image', 'SVG-Bild'],
  ['video/mp4', 'MP4 video', 'MP4-Video'],
  ['application/vnd.rar', 'RAR', 'RAR'],
  ['application/x-tar', 'TAR', 'TAR'],
  ['chemical/x-pdb', 'PDB', 'PDB'],
  ['text/x-python', 'PYTHON text', 'PYTHON-Text'],
  ['text/vnd.trolltech.linguist', 'Text', 'Text'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'Excel spreadsheet', 'Excel-Tabelle'],
  ['application/vnd.ms-excel.template.macroenabled.12', 'File', 'Datei'],
  ['application/vnd.ms-tnef', 'File', 'Datei'],
  ['application/x-cfb', 'File', 'Datei'],
  ['application/x-msdownload', 'Windows program', 'Windows-Programm'],
];
for (const [type, english, other] of NAMES)
  test(`${type} is ${english}, in German ${other}`, () =>
    expect([readableType(type, typeNames), readableType(type, german)]).toEqual([english, other]));

test('the same types have a name in both languages', () =>
  expect(Object.keys(german.types)).toEqual(Object.keys(typeNames.types)));
