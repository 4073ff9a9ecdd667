import type { Translations } from './translations.ts';

/** German messages of fields and sentences of problems, of every service. */
export const kernelGerman = {
  'is required': 'wird benötigt',
  'is not valid': 'ist nicht gültig',
  'is not a field of this request': 'ist kein Feld dieser Anfrage',
  'was not accepted': 'wurde nicht angenommen',
  'does not have the required form': 'hat nicht die verlangte Form',
  'must not be null': 'darf nicht leer sein',
  'must not be empty': 'darf nicht leer sein',
  'must appear only once': 'darf nur einmal vorkommen',
  'must not contain control characters': 'darf keine Steuerzeichen enthalten',
  'must have 1 to {} characters': 'muss 1 bis {} Zeichen haben',
  'must have at least {} characters': 'muss mindestens {} Zeichen haben',
  'must have at least {} character': 'muss mindestens {} Zeichen haben',
  'must have at most {} characters': 'darf höchstens {} Zeichen haben',
  'must have at most {} character': 'darf höchstens {} Zeichen haben',
  'must have at most {} bytes in total': 'dürfen zusammen höchstens {} Bytes haben',
  'must have at most {} bytes in UTF-8': 'darf höchstens {} Bytes haben (UTF-8)',
  'must have at most {} bytes': 'darf höchstens {} Bytes haben',
  'must have at least {} items': 'muss mindestens {} Einträge haben',
  'must have at least {} item': 'muss mindestens {} Einträge haben',
  'must have at most {} items': 'darf höchstens {} Einträge haben',
  'must have at most {} item': 'darf höchstens {} Einträge haben',
  'must have at most {} entries': 'darf höchstens {} Einträge haben',
  'must have at most {} fields': 'darf höchstens {} Felder haben',
  'must be at least {}': 'muss mindestens {} sein',
  'must be at most {}': 'darf höchstens {} sein',
  'must be JSON in UTF-8': 'muss JSON in UTF-8 sein',
  'must not be nested deeper than {}': 'darf nicht tiefer als {} verschachtelt sein',
  'must have at most {} names in its objects': 'darf in seinen Objekten höchstens {} Namen haben',
  'must be a JSON object': 'muss ein JSON-Objekt sein',
  'must be chunked, without other codings': 'muss chunked sein, ohne weitere Kodierungen',
  'must be given once, and be valid': 'muss genau einmal angegeben und gültig sein',
  'must end with chunked': 'muss mit chunked enden',
  'must be text in UTF-8': 'muss Text in UTF-8 sein',
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'must be a host name or an address': 'muss ein Hostname oder eine Adresse sein',
  'must be an http or https URL': 'muss eine http- oder https-URL sein',
  'must be a URL': 'muss eine URL sein',
  'must be an id (GUID)': 'muss eine ID (GUID) sein',
  'must be a GUID': 'muss eine ID (GUID) sein',
  'must be an ISO 8601 time with its offset, such as {}':
    'muss ein Zeitpunkt nach ISO 8601 mit Zeitzone sein, wie {}',
  'must be an ISO 8601 time, such as {}': 'muss ein Zeitpunkt nach ISO 8601 sein, wie {}',
  'must be in the future': 'muss in der Zukunft liegen',
  'must be a string': 'muss ein Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'must be true or false': 'muss true oder false sein',
  'must be an array': 'muss eine Liste sein',
  'must be an object': 'muss ein Objekt sein',
  'must be one of {}': 'muss einer dieser Werte sein: {}',
  'must be {list}': 'muss einer dieser Werte sein: {list}',
  'there are more than {} parts': 'es gibt mehr als {} Teile',

  'This address supports only {}.': 'Diese Adresse unterstützt nur {}.',
  'The body must be {}.': 'Der Medientyp der Anfrage muss einer von diesen sein: {}.',
  'The Content-Type multipart/form-data has no boundary: leave the header to the HTTP library.':
    'Im Content-Type multipart/form-data fehlt die Angabe „boundary“. Überlassen Sie den Header der HTTP-Bibliothek.',
  'The boundary in the Content-Type must have at most {} characters, and no line ends.':
    'Die Angabe „boundary“ im Content-Type darf höchstens {} Zeichen und keine Zeilenumbrüche haben.',
  'The body may have at most {} bytes.': 'Die Anfrage darf höchstens {} Bytes haben.',
  'The request could not be read.': 'Die Anfrage konnte nicht gelesen werden.',
  'The request contains the character U+0000, which no text may contain.':
    'Die Anfrage enthält das Zeichen U+0000, das in keinem Text erlaubt ist.',
  'The body took too long to arrive.': 'Die Anfrage kam zu langsam an.',
  'The request ended before its body was complete.': 'Die Anfrage endete, bevor sie vollständig war.',
  'The resource has {} bytes.': 'Die Datei enthält den angeforderten Bereich nicht. Sie hat {} Bytes.',
  'The database of the server cannot be used at the moment.':
    'Die Datenbank des Servers ist zurzeit nicht verfügbar. Versuchen Sie es {wait} erneut.',
  ['The database of the server cannot be used at the moment. The request may have taken effect: check ' +
    'before you repeat it.']:
    'Die Datenbank des Servers ist zurzeit nicht verfügbar. Die Anfrage wurde vielleicht ausgeführt: Prüfen Sie das, ' +
    'bevor Sie sie wiederholen.',
  'The server is short of file descriptors, processes, memory or CPU time at the moment.':
    'Dem Server fehlen zurzeit Dateideskriptoren, Prozesse, Speicher oder Rechenzeit. Versuchen Sie es {wait} erneut.',
  'The file store of the server cannot be used at the moment.':
    'Der Dateispeicher des Servers ist zurzeit nicht verfügbar. Versuchen Sie es {wait} erneut.',
  ['The file store of the server cannot be used at the moment. The request may have taken effect: check ' +
    'before you repeat it.']:
    'Der Dateispeicher des Servers ist zurzeit nicht verfügbar. Die Anfrage wurde vielleicht ausgeführt: ' +
    'Prüfen Sie das, ' +
    'bevor Sie sie wiederholen.',
} as const satisfies Translations;
