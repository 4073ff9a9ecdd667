import type { Translations } from '../kernel/translations.ts';

/** German messages of fields and sentences of problems. */
export const mailGerman = {
  'must not contain line breaks or control characters':
    'darf keine Zeilenumbrüche oder Steuerzeichen enthalten',
  'must be an https URL, or http on a loopback address':
    'muss eine https-URL sein, oder http auf einer Loopback-Adresse',
  'must be one e-mail address, alone or as “Name <name@example.org>”':
    'muss eine E-Mail-Adresse sein, allein oder als „Name <name@example.org>“',
  'must be one e-mail address, alone or as “Name <name@example.org>”; names with a comma need quotes':
    'muss eine E-Mail-Adresse sein, allein oder als „Name <name@example.org>“; Namen mit Komma brauchen ' +
    'Anführungszeichen',
  'must be an e-mail address or an @domain': 'muss eine E-Mail-Adresse oder eine @Domain sein',
  'must be an address, {Address, Name}, or an array of these':
    'muss eine Adresse, {Address, Name} oder eine Liste davon sein',
  'must be a string or an array of strings': 'muss ein Text oder eine Liste von Texten sein',
  'must be @channel, a channel id or a user id': 'muss @kanal, eine Kanal-ID oder eine Benutzer-ID sein',
  'must be @channel, a channel id or a user id, or an array of them':
    'muss @kanal, eine Kanal-ID, eine Benutzer-ID oder eine Liste davon sein',
  'must be an origin such as https://www.example.org': 'muss ein Ursprung sein, wie https://www.example.org',
  'must be a page on one of the allowed origins': 'muss eine Seite auf einem der erlaubten Ursprünge sein',
  'must be https: or mailto: URLs': 'müssen https:- oder mailto:-URLs sein',
  'must be URLs of at most {} characters': 'müssen URLs mit höchstens {} Zeichen sein',
  'must contain a single space at least every {} characters':
    'muss mindestens alle {} Zeichen ein einzelnes Leerzeichen enthalten',
  'must be List-Unsubscribe=One-Click (RFC 8058)': 'muss List-Unsubscribe=One-Click sein (RFC 8058)',
  'must be a form': 'muss ein Formular sein',
  'must be a media type such as application/pdf, neither multipart nor message':
    'muss ein Medientyp sein, wie application/pdf, weder multipart noch message',
  'must be a public mail server on a mail port': 'muss ein öffentlicher Mailserver an einem Mail-Port sein',
  'must be a word without spaces or brackets': 'muss ein Wort ohne Leerzeichen und Klammern sein',
  'must be base64': 'muss Base64 sein',
  'must have at most 64 letters, digits, dots and dashes':
    'muss aus Buchstaben, Ziffern, Punkten und Bindestrichen bestehen, höchstens 64',
  'must be the id of a client': 'muss die ID eines Clients sein',
  'must be within a year': 'muss innerhalb eines Jahres liegen',
  'must have at least one address, which receives the contact messages':
    'muss mindestens eine Adresse haben, die die Nachrichten des Kontaktformulars erhält',
  'must have at most {} addresses': 'darf höchstens {} Adressen haben',
  'must look like 123456:ABC-DEF': 'muss aussehen wie 123456:ABC-DEF',
  'must not contain the character U+0000': 'darf das Zeichen U+0000 nicht enthalten',
  'must not appear twice': 'darf nicht zweimal vorkommen',
  ['must not combine contact with another service, because the secret of a contact form is public and ' +
    'would give anyone access to that service: create a client for contact alone, or confirm the combination ' +
    'with {}']:
    'darf contact nicht mit einem weiteren Dienst verbinden, weil das Geheimnis eines Kontaktformulars öffentlich ' +
    'ist und jedem diesen Dienst erlauben würde: Legen Sie für contact einen eigenen Client an, oder bestätigen Sie ' +
    'die Verbindung mit {}',
  'To, Cc and Bcc must have at most {} addresses': 'To, Cc und Bcc dürfen höchstens {} Adressen haben',
  'names recipients for a mail provider; use To, Cc or Bcc':
    'nennt Empfänger für einen Mail-Anbieter; verwenden Sie To, Cc oder Bcc',
  'only X-… and {} may be set here': 'nur X-… und {} dürfen hier gesetzt werden',
  'replaces Body and HtmlTemplate; remove them': 'ersetzt Body und HtmlTemplate; entfernen Sie diese',
  'there is no template with this name': 'es gibt keine Vorlage mit diesem Namen',
  'this client may not write to {}': 'dieser Client darf nicht an {} schreiben',
  'is not an address that this client may send from': 'ist keine Adresse, von der dieser Client senden darf',
  'is required together with {}': 'wird zusammen mit {} benötigt',
  'is required, or Cc or Bcc': 'wird benötigt, oder Cc oder Bcc',
  'is required, or HtmlTemplate, or TemplateName': 'wird benötigt, oder HtmlTemplate, oder TemplateName',
  'is required, or text': 'wird benötigt, oder text',
  'is too complex to be read': 'ist zu komplex, um gelesen zu werden',
  'has markup that takes too long to parse': 'enthält Auszeichnungen, deren Verarbeitung zu lange dauert',
  'has too much markup for its length': 'enthält für die Länge zu viele Auszeichnungen',
  'would be split into more than {} messages for all recipients':
    'würde mehr als {} Nachrichten für alle Empfänger ergeben',
  'cannot be verified at the moment; try again': 'kann zurzeit nicht geprüft werden; versuchen Sie es erneut',
  'was refused by Telegram. Copy it from @BotFather: /mybots, API Token':
    'wurde von Telegram abgelehnt. Kopieren Sie es von @BotFather: /mybots, API Token',

  'cannot be rendered': 'kann nicht verarbeitet werden',
  'takes too long to render': 'braucht zu lange',
  'takes too much memory to render': 'braucht zu viel Speicher',
  'output limit exceeded': 'die Ausgabe ist zu groß',
  'the MJML is not valid: {} (line {}, column {})': 'das MJML ist ungültig: {} (Zeile {}, Spalte {})',
  'the MJML is not valid: {}': 'das MJML ist ungültig: {}',
  '{} (line {}, column {})': '{} (Zeile {}, Spalte {})',
  'the MJML cannot be rendered': 'das MJML kann nicht verarbeitet werden',
  'the MJML is nested more than {} deep': 'das MJML ist tiefer als {} verschachtelt',

  'SmtpConfiguration.Host must be a public mail server, and its port one of {}.':
    'SmtpConfiguration.Host muss ein öffentlicher Mailserver sein, und der Port einer von diesen: {}.',
  'This client may not use {}; it may use nothing.':
    'Dieser Client darf {} nicht nutzen; er darf nichts nutzen.',
  'This client may not use {}; it may use {}.': 'Dieser Client darf {} nicht nutzen; er darf {} nutzen.',
  'The fields other than texts, TemplateData and attachments may have at most {} bytes.':
    'Die Felder außer Texten, TemplateData und Anhängen dürfen höchstens {} Bytes haben.',
  'Telegram refused the message.': 'Telegram hat die Nachricht abgelehnt.',
} as const satisfies Translations;
