import type { Language } from '../kernel/language.ts';
import { createTranslate, type Translations } from '../kernel/translations.ts';
import type { CheckResult } from './check.ts';

/** German findings, faults and remedies of the checks. The text of a peer or of the system (`{}`) stays as it is. */
export const doctorGerman = {
  'No response within {} s.': 'Keine Antwort innerhalb von {} s.',
  '{} will be created on the first start.': '{} wird beim ersten Start angelegt.',

  '{} is writable; {} free.': '{} ist beschreibbar; {} frei.',
  '{} Give this user write access to {}, or set POSTHOUSE_DATA_DIR to another directory.':
    '{} Erlauben Sie diesem Benutzer, in {} zu schreiben, oder setzen Sie POSTHOUSE_DATA_DIR auf ein ' +
    'anderes Verzeichnis.',
  '{} is writable; {} free. Other users of the machine can list its files, but not read them: run chmod 700 {}':
    '{} ist beschreibbar; {} frei. Andere Benutzer des Rechners können die Dateien auflisten, aber nicht lesen: ' +
    'Führen Sie chmod 700 {} aus',
  'Other users of the machine can write to {} (mode {}): run chmod 700 {}':
    'Andere Benutzer des Rechners können in {} schreiben (Modus {}): Führen Sie chmod 700 {} aus',
  'Only {} is free in {}: free up space before files and messages are refused.':
    'Nur {} sind in {} frei: Schaffen Sie Platz, bevor Dateien und Nachrichten abgelehnt werden.',

  'SQLite; {} will be created on the first start.': 'SQLite; {} wird beim ersten Start angelegt.',
  '{}, without encryption, schema up to date; responds in {} ms.':
    '{}, ohne Verschlüsselung, Schema aktuell; antwortet in {} ms.',
  '{}, encrypted with {}, schema up to date; responds in {} ms.':
    '{}, verschlüsselt mit {}, Schema aktuell; antwortet in {} ms.',
  '{}, schema up to date; responds in {} ms.': '{}, Schema aktuell; antwortet in {} ms.',
  '{}, without encryption, {} migrations will run at the next start; responds in {} ms.':
    '{}, ohne Verschlüsselung, {} Migrationen laufen beim nächsten Start; antwortet in {} ms.',
  '{}, encrypted with {}, {} migrations will run at the next start; responds in {} ms.':
    '{}, verschlüsselt mit {}, {} Migrationen laufen beim nächsten Start; antwortet in {} ms.',
  '{}, {} migrations will run at the next start; responds in {} ms.':
    '{}, {} Migrationen laufen beim nächsten Start; antwortet in {} ms.',
  '{}, without encryption, empty; responds in {} ms.': '{}, ohne Verschlüsselung, leer; antwortet in {} ms.',
  '{}, encrypted with {}, empty; responds in {} ms.': '{}, verschlüsselt mit {}, leer; antwortet in {} ms.',
  '{}, empty; responds in {} ms.': '{}, leer; antwortet in {} ms.',
  'The schema has migrations of a newer version of Posthouse ({}): run that version or a later one.':
    'Das Schema hat Migrationen einer neueren Version von Posthouse ({}): Verwenden Sie diese oder eine ' +
    'spätere Version.',
  '{} Check the file and its permissions.': '{} Prüfen Sie die Datei und ihre Berechtigungen.',
  '{} Check POSTHOUSE_DATABASE_URL, and that the server listens and accepts this user.':
    '{} Prüfen Sie POSTHOUSE_DATABASE_URL, und ob der Server erreichbar ist und diesen Benutzer zulässt.',
  '{} The file must be writable.': '{} Die Datei muss beschreibbar sein.',
  'This PostgreSQL server is a read-only replica: set POSTHOUSE_DATABASE_URL to the primary.':
    'Dieser PostgreSQL-Server ist ein schreibgeschütztes Replikat: Setzen Sie POSTHOUSE_DATABASE_URL auf ' +
    'den primären Server.',
  'The database user may not create tables: grant it CREATE on the schema.':
    'Der Datenbankbenutzer darf keine Tabellen anlegen: Geben Sie ihm CREATE auf dem Schema.',

  'Not needed with SQLite, which only one server uses.':
    'Mit SQLite nicht nötig, da nur ein Server es verwendet.',
  'Signals between nodes arrive.': 'Signale zwischen den Knoten kommen an.',
  ['Signals between nodes do not arrive: set POSTHOUSE_DATABASE_LISTEN_URL to PostgreSQL itself, since ' +
    'a pooler in transaction mode loses LISTEN.']:
    'Signale zwischen Knoten kommen nicht an: Setzen Sie POSTHOUSE_DATABASE_LISTEN_URL auf PostgreSQL selbst, da ein ' +
    'Pooler im Transaktionsmodus LISTEN verliert.',
  '{} Check POSTHOUSE_DATABASE_LISTEN_URL (by default, POSTHOUSE_DATABASE_URL).':
    '{} Prüfen Sie POSTHOUSE_DATABASE_LISTEN_URL (ohne Angabe POSTHOUSE_DATABASE_URL).',

  'From {}; if several nodes share the database, set POSTHOUSE_SECRET to the same value on all of them instead.':
    'Aus {}; wenn mehrere Knoten die Datenbank gemeinsam verwenden, setzen Sie stattdessen POSTHOUSE_SECRET auf ' +
    'allen auf denselben Wert.',
  'From {}; matches the database.': 'Aus {}; passt zur Datenbank.',
  'From {}.': 'Aus {}.',
  '{} is missing, but the database was used with a key: restore the file, or set POSTHOUSE_SECRET to its value.':
    '{} fehlt, aber die Datenbank wurde mit einem Schlüssel verwendet: Stellen Sie die Datei wieder her, oder setzen ' +
    'Sie POSTHOUSE_SECRET auf ihren Wert.',
  '{} is not the key of this database: restore the right key, or stored secrets cannot be decrypted.':
    '{} ist nicht der Schlüssel dieser Datenbank: Stellen Sie den richtigen wieder her, sonst können gespeicherte ' +
    'Geheimnisse nicht entschlüsselt werden.',
  'Other users of the machine can read {} (mode {}): run chmod 600 {}':
    'Andere Benutzer des Rechners können {} lesen (Modus {}): Führen Sie chmod 600 {} aus',

  'S3 bucket {}; {} ms to write, read and delete.': 'S3-Bucket {}; {} ms für Schreiben, Lesen und Löschen.',
  '{}; {} ms to write, read and delete.': '{}; {} ms für Schreiben, Lesen und Löschen.',
  'The store returned different bytes from those that were written.':
    'Der Speicher hat andere Bytes geliefert, als geschrieben wurden.',
  '{} Give this user write access to {}.': '{} Erlauben Sie diesem Benutzer, in {} zu schreiben.',
  ['{} Check POSTHOUSE_S3_URL (bucket, endpoint, region) and the two keys, which must allow reading, ' +
    'writing and deleting.']:
    '{} Prüfen Sie POSTHOUSE_S3_URL (bucket, endpoint, region) und die beiden Schlüssel, die Lesen, Schreiben und ' +
    'Löschen erlauben müssen.',
  ['Downloads are redirected to {} without encryption, which browsers refuse: set public=https://… in ' +
    'POSTHOUSE_S3_URL, or POSTHOUSE_S3_REDIRECT=false.']:
    'Downloads werden unverschlüsselt zu {} weitergeleitet, was Browser ablehnen: Setzen Sie public=https://… in ' +
    'POSTHOUSE_S3_URL, oder POSTHOUSE_S3_REDIRECT=false.',
  ['Redirected downloads fail: {} responds with status {}, and without the requested ' +
    'Content-Disposition. Set public=… in POSTHOUSE_S3_URL to the endpoint that clients reach, or ' +
    'POSTHOUSE_S3_REDIRECT=false.']:
    'Weitergeleitete Downloads schlagen fehl: {} antwortet mit Status {} und ohne das verlangte Content-Disposition. ' +
    'Setzen Sie public=… in POSTHOUSE_S3_URL auf den Endpunkt, den Clients erreichen, oder ' +
    'POSTHOUSE_S3_REDIRECT=false.',
  ['Redirected downloads fail: {} responds with status {}. Set public=… in POSTHOUSE_S3_URL to the ' +
    'endpoint that clients reach, or POSTHOUSE_S3_REDIRECT=false.']:
    'Weitergeleitete Downloads schlagen fehl: {} antwortet mit Status {}. Setzen Sie public=… in ' +
    'POSTHOUSE_S3_URL auf ' +
    'den Endpunkt, den Clients erreichen, oder POSTHOUSE_S3_REDIRECT=false.',

  'The embedded issuer, with local accounts.': 'Der eingebaute Aussteller, mit lokalen Konten.',
  '{} Check POSTHOUSE_OIDC_ISSUER; nobody can sign in until the provider responds.':
    '{} Prüfen Sie POSTHOUSE_OIDC_ISSUER; niemand kann sich anmelden, bis der Anbieter antwortet.',
  '{} responds to the request for its discovery document with {}.':
    '{} beantwortet das Discovery-Dokument mit {}.',
  'The provider’s issuer is {}: set POSTHOUSE_OIDC_ISSUER to exactly this value.':
    'Der Aussteller des Anbieters ist {}: Setzen Sie POSTHOUSE_OIDC_ISSUER auf genau diesen Wert.',
  '{} responds. Only invited people can sign in, since POSTHOUSE_OIDC_ALLOW is not set.':
    '{} antwortet. Nur eingeladene Personen können sich anmelden, da POSTHOUSE_OIDC_ALLOW nicht gesetzt ist.',

  'Not set; e-mails go to the sandbox.': 'Nicht gesetzt; E-Mails gehen in die Sandbox.',
  ['{} Check POSTHOUSE_SMTP_URL: host, port, tls, user and password, and POSTHOUSE_SMTP_TLS_VERIFY if ' +
    'its certificate is self-signed.']:
    '{} Prüfen Sie POSTHOUSE_SMTP_URL: Host, Port, tls, Benutzer und Passwort, und POSTHOUSE_SMTP_TLS_VERIFY, wenn ' +
    'das Zertifikat selbst signiert ist.',
  '{} responds ({}) and accepts the credentials; e-mails are sent from {}.':
    '{} antwortet ({}) und akzeptiert die Zugangsdaten; E-Mails werden von {} gesendet.',
  '{} responds ({}); e-mails are sent from {}.': '{} antwortet ({}); E-Mails werden von {} gesendet.',

  'STARTTLS when offered': 'STARTTLS, wenn angeboten',
  'no encryption': 'ohne Verschlüsselung',
  '{}, certificate not verified': '{}, Zertifikat nicht geprüft',

  'Not set; the included database locates countries.':
    'Nicht gesetzt; die enthaltene Datenbank ermittelt Länder.',
  '{} Set POSTHOUSE_GEOIP_DB to a MaxMind database (.mmdb), such as GeoLite2 City.':
    '{} Setzen Sie POSTHOUSE_GEOIP_DB auf eine MaxMind-Datenbank (.mmdb), zum Beispiel GeoLite2 City.',
  '{}; {}, built on {}.': '{}; {}, erstellt am {}.',

  'No chat client has a bot token; messages go to the sandbox.':
    'Kein Chat-Client hat ein Bot-Token; Nachrichten gehen in die Sandbox.',
  '{} Check POSTHOUSE_DISCORD_API_URL and this machine’s internet connection; chat messages wait until it responds.':
    '{} Prüfen Sie POSTHOUSE_DISCORD_API_URL und die Internetverbindung dieses Rechners; ' +
    'Chat-Nachrichten warten, bis ' +
    'die Plattform antwortet.',
  'No bot token is set; messages of clients without their own token go to the sandbox.':
    'Kein Bot-Token ist gesetzt; Nachrichten von Clients ohne eigenes Token gehen in die Sandbox.',
  '{} Check POSTHOUSE_TELEGRAM_API_URL and this machine’s internet connection; messages wait until it responds.':
    '{} Prüfen Sie POSTHOUSE_TELEGRAM_API_URL und die Internetverbindung dieses Rechners; Nachrichten warten, bis ' +
    'Telegram antwortet.',
  'Telegram rejects this bot token: set POSTHOUSE_TELEGRAM_TOKEN to the token from @BotFather.':
    'Telegram lehnt dieses Bot-Token ab: Setzen Sie POSTHOUSE_TELEGRAM_TOKEN auf das Token von @BotFather.',
  '{} accepts the token of the bot @{}.': '{} akzeptiert das Token des Bots @{}.',
  '{} responds with {}: try again later.': '{} antwortet mit {}: Versuchen Sie es später erneut.',

  'Not set; links lead to http://localhost:{}, which works on this machine only.':
    'Nicht gesetzt; Links führen zu http://localhost:{}, was nur auf diesem Rechner funktioniert.',
  ['The server is behind a proxy, but none is trusted, so all visitors count as one address for rate ' +
    'limits: set POSTHOUSE_TRUSTED_PROXIES to the address of the proxy.']:
    'Der Server ist hinter einem Proxy, vertraut aber keinem, sodass alle Besucher bei Limits als eine Adresse ' +
    'zählen: Setzen Sie POSTHOUSE_TRUSTED_PROXIES auf die Adresse des Proxys.',
  ['{} is not encrypted, so passwords and sessions can be read in transit: put a proxy with a ' +
    'certificate in front, and set POSTHOUSE_PUBLIC_URL to its https address.']:
    '{} ist nicht verschlüsselt, sodass Passwörter und Sitzungen unterwegs gelesen werden können: Setzen Sie einen ' +
    'Proxy mit Zertifikat davor, und POSTHOUSE_PUBLIC_URL auf seine https-Adresse.',
  ['HOST is {}, which other machines reach without encryption, so passwords and sessions can be read in ' +
    'transit: put a proxy with a certificate in front, and set POSTHOUSE_PUBLIC_URL to its https address.']:
    'HOST ist {}, was andere Rechner unverschlüsselt erreichen, sodass Passwörter und Sitzungen unterwegs gelesen ' +
    'werden können: Setzen Sie einen Proxy mit Zertifikat davor, und POSTHOUSE_PUBLIC_URL auf seine https-Adresse.',
  '{}; it does not respond from this machine, which is expected while the server is stopped.':
    '{}; die Adresse antwortet von diesem Rechner aus nicht, was bei angehaltenem Server normal ist.',
  '{} responds, but it is not this server (status {}): check the proxy.':
    '{} antwortet, ist aber nicht dieser Server (Status {}): Prüfen Sie den Proxy.',
  '{} responds.': '{} antwortet.',

  ['{}, without identity: nobody can sign in at this node, and it has no web app. Administration and ' +
    'files of accounts need a node with identity behind the same host name, or personal access tokens.']:
    '{}, ohne identity: Niemand kann sich an diesem Knoten anmelden, und er hat keine Web-App. Administration und ' +
    'Dateien von Konten brauchen einen Knoten mit identity hinter demselben Hostnamen, oder persönliche ' +
    'Zugriffstokens.',

  '{}; there is no other clock to compare.': '{}; es gibt keine andere Uhr zum Vergleich.',
  'This machine is {} s ahead of the database: synchronize both clocks by NTP.':
    'Dieser Rechner geht gegenüber der Datenbank {} s vor: Gleichen Sie beide Uhren mit NTP ab.',
  'This machine is {} s behind the database: synchronize both clocks by NTP.':
    'Dieser Rechner geht gegenüber der Datenbank {} s nach: Gleichen Sie beide Uhren mit NTP ab.',
  'Within {} ms of the database.': 'Höchstens {} ms Abstand zur Datenbank.',

  'Programs for untrusted input cannot access files, networks or other processes (seccomp).':
    'Programme, die fremde Eingaben verarbeiten, erreichen keine Dateien, Netzwerke oder anderen Prozesse (seccomp).',
  ['Programs for untrusted input have limits, but can access {}: {}. Allow the system call seccomp, ' +
    'as containers do by default.']:
    'Programme, die fremde Eingaben verarbeiten, haben Limits, erreichen aber {}: {}. Lassen Sie den Systemaufruf ' +
    'seccomp zu, wie es Container normalerweise tun.',
  'Programs for untrusted input have limits, but can access {}, since {}.':
    'Programme, die fremde Eingaben verarbeiten, haben Limits, erreichen aber {}: {}.',
  'the filter has no effect': 'der Filter hat keine Wirkung',
  'A program for untrusted input does not start: {}': 'Ein Programm für fremde Eingaben startet nicht: {}',

  'Every shared workspace has a manager who can sign in.':
    'Jeder gemeinsame Arbeitsbereich hat einen Verantwortlichen, der sich anmelden kann.',
  'No manager of {} and others can sign in: appoint one with posthouse workspace member add --role manager.':
    'Kein Verantwortlicher von {} und weiteren kann sich anmelden: Ernennen Sie einen mit posthouse workspace member ' +
    'add --role manager.',
  'No manager of {} can sign in: appoint one with posthouse workspace member add --role manager.':
    'Kein Verantwortlicher von {} kann sich anmelden: Ernennen Sie einen mit posthouse workspace member ' +
    'add --role manager.',
} as const satisfies Translations;

const translate = createTranslate(doctorGerman);
/** The findings of several public URLs follow each other. */
const NEXT_URL = /(?<=\.) (?=https?:\/\/)/;

/** A number with its unit, or a time in UTC. */
const QUANTITY = /(?<![\w.])(\d[\d,]*(?:\.(\d+))?)(?= (?:ms|s|B|[KMGT]iB)\b)/g;
const TIME = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const germanTime = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });

/** Formats the values in a German text. */
const withGermanValues = (text: string) =>
  text
    .replace(QUANTITY, (_, number: string, { length: digits } = '') =>
      Number(number.replaceAll(',', '')).toLocaleString('de', {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
    )
    .replace(TIME, (time) => germanTime.format(new Date(time)));

function inGerman(text: string): string {
  const german = translate(text);
  // A text without a translation is that of a peer.
  return german === null ? text : withGermanValues(german);
}

/** Returns the results in the language of the reader. */
export function resultsIn(results: readonly CheckResult[], language: Language): CheckResult[] {
  if (language === 'en') return [...results];
  return results.map((result) => ({
    ...result,
    detail: result.detail.split(NEXT_URL).map(inGerman).join(' '),
  }));
}
