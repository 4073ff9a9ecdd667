import { inLanguages } from '../../language.ts';

const english = {
  startPage: 'Go to the start page',
  backToForm: 'Your browser’s Back button returns to the form, with the text that you entered.',
  backTo: (host: string) => `Back to ${host}`,
  request: (id: string) => `Request ${id}`,
  notFound: 'Page not found',
  notFoundText: 'The address may be mistyped, or the page was removed.',
  homePage: 'Home page',
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
  },
});
