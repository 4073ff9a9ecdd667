import { inLanguages } from '../language.ts';

const english = {
  startPage: 'Go to the start page',
  backToForm: 'Your browser’s Back button returns to the form, with the text that you entered.',
  backTo: (host: string) => `Back to ${host}`,
  request: (id: string) => `Request ${id}`,
  notFound: 'Page not found',
  notFoundText: 'The address may be mistyped, or the page was removed.',
  homePage: 'Home page',
  /** Sentences for people, by the code of a problem; without one, its detail is shown. */
  details: {} as Readonly<Partial<Record<string, string>>>,
};

/** Texts of the pages of all services. */
export const textsOf = inLanguages(english, {
  de: {
    startPage: 'Zur Startseite',
    backToForm: 'Mit der Zurück-Taste Ihres Browsers kommen Sie zum Formular mit Ihrem Text zurück.',
    backTo: (host) => `Zurück zu ${host}`,
    request: (id) => `Anfrage ${id}`,
    notFound: 'Seite nicht gefunden',
    notFoundText: 'Die Adresse ist falsch geschrieben, oder es gibt die Seite nicht mehr.',
    homePage: 'Startseite',
    details: {
      access_key_wrong: 'Der Zugriffsschlüssel ist falsch.',
      account_not_allowed:
        'Dieses Konto ist hier nicht zugelassen. Bitten Sie einen Administrator um eine Einladung.',
      bad_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
      cross_site_request: 'Die Anfrage kam von einer anderen Website.',
      download_limit_reached: 'Die Datei wurde so oft heruntergeladen, wie es erlaubt ist.',
      file_password_wrong: 'Das Passwort ist falsch.',
      internal_error: 'Die Anfrage ist wegen eines internen Fehlers fehlgeschlagen.',
      issuer_unreachable: 'Der OpenID-Anbieter ist zurzeit nicht erreichbar. Versuchen Sie es später erneut.',
      link_expired: 'Der Link ist abgelaufen.',
      login_failed:
        'Die Anmeldung begann in einem anderen Browser oder vor zu langer Zeit. Versuchen Sie es erneut.',
      not_found: 'Unter dieser Adresse gibt es nichts.',
      rate_limited: 'Es waren zu viele Anfragen. Versuchen Sie es in einigen Minuten erneut.',
      too_many_attempts: 'Es waren zu viele Fehlversuche. Versuchen Sie es in einigen Minuten erneut.',
      file_too_large: 'Die Datei ist zu groß.',
      quota_exceeded: 'Für die Datei ist kein Platz mehr.',
      upload_limit_reached: 'Dieser Link nimmt keine weiteren Dateien an.',
      storage_full: 'Der Server hat keinen Platz mehr.',
      unavailable: 'Der Server ist zurzeit nicht verfügbar. Versuchen Sie es bald erneut.',
    },
  },
});
