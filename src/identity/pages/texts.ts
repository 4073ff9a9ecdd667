import { inLanguages } from '../../kernel/language.ts';

const english = {
  email: 'E-mail address',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: '8 characters or more.',
  signIn: 'Sign in',
  tryAgain: 'Try again',
  startPage: 'Go to the start page',
  forgot: 'Forgot your password?',
  otherSite: 'A page of another site made this request. Sign in here instead.',
  signInAgain: 'Sign in again',
  signInExpired: 'This sign-in has expired',
  signInExpiredText: 'It started too long ago or in another browser, or it is already complete.',
  signInFailed: 'Sign-in failed',
  theSignInFailed: 'The sign-in failed',
  signInFailedText: (code: string) => `The request was invalid, or it has expired (${code}).`,
  back: 'Back to sign-in',
  forgotText: 'Enter the e-mail address of your account. You will receive a link to choose a new password.',
  notAnEmail: 'This is not an e-mail address.',
  sendLink: 'Send the link',
  checkMail: 'Check your e-mail',
  /** Around the address. */
  requested: [
    'If there is an account with the address ',
    ', we have sent it a link to choose a new password. The link expires in one hour.',
  ],
  mailTakesTime: 'The e-mail can take a few minutes. Check your spam folder too.',
  noMailYet:
    'This server does not deliver e-mails yet. Ask an administrator, who can find the e-mail among the messages.',
  welcome: 'Welcome to Posthouse',
  welcomeText: 'Files, chat and mail for your team and its applications.',
  finishSetup: 'Finish setting up',
  finishSetupText:
    'Open the link printed in the terminal that started the server. It creates the administrator account.',
  setup: 'Create the administrator account',
  name: 'Name',
  optional: '(optional)',
  createAccount: 'Create the account',
  choosePassword: 'Choose a password',
  setPassword: 'Set the password',
  setPasswordAndSignIn: 'Set the password and sign in',
  passwordSet: 'Password set',
  yourPasswordIsSet: 'Your password is set',
  passwordSetText: 'All sessions and access tokens of your account have ended.',
  invalidLink: 'Invalid link',
  thisLinkIsInvalid: 'This link is invalid',
  invalidSetupLink: 'It was already used, or the server has printed a newer one in the terminal.',
  invalidPasswordLink:
    'It was already used, or it has expired. Request a new one, or ask an administrator for one.',
  /** Messages of invalid fields, by the field; without one, the message of the API is shown. */
  fields: {} as Readonly<Partial<Record<string, string>>>,
};

/** Texts of the pages for sign-in, set-up and passwords. */
export const textsOf = inLanguages(english, {
  de: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    passwordHint: '8 Zeichen oder mehr.',
    signIn: 'Anmelden',
    tryAgain: 'Erneut versuchen',
    startPage: 'Zur Startseite',
    forgot: 'Passwort vergessen?',
    otherSite: 'Diese Anfrage kam von einer anderen Website. Melden Sie sich hier an.',
    signInAgain: 'Erneut anmelden',
    signInExpired: 'Diese Anmeldung ist abgelaufen',
    signInExpiredText:
      'Sie begann vor zu langer Zeit oder in einem anderen Browser, oder sie ist bereits abgeschlossen.',
    signInFailed: 'Anmeldung fehlgeschlagen',
    theSignInFailed: 'Die Anmeldung ist fehlgeschlagen',
    signInFailedText: (code) => `Die Anfrage war ungültig oder ist abgelaufen (${code}).`,
    back: 'Zurück zur Anmeldung',
    forgotText:
      'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link, mit dem Sie ein neues ' +
      'Passwort wählen.',
    notAnEmail: 'Das ist keine E-Mail-Adresse.',
    sendLink: 'Link senden',
    checkMail: 'Prüfen Sie Ihren Posteingang',
    requested: [
      'Wenn es ein Konto mit der Adresse ',
      ' gibt, haben wir dorthin einen Link gesendet, mit dem Sie ein neues Passwort wählen. Der Link ist ' +
        'eine Stunde gültig.',
    ],
    mailTakesTime: 'Die E-Mail kann einige Minuten brauchen. Sehen Sie auch im Spam-Ordner nach.',
    noMailYet:
      'Dieser Server stellt noch keine E-Mails zu. Fragen Sie einen Administrator: Die E-Mail ist ' +
      'unter den Nachrichten zu finden.',
    welcome: 'Willkommen bei Posthouse',
    welcomeText: 'Dateien, Chat und E-Mail für Ihr Team und seine Anwendungen.',
    finishSetup: 'Einrichtung abschließen',
    finishSetupText:
      'Öffnen Sie den Link, den der Server im Terminal ausgegeben hat. Damit legen Sie das Administratorkonto an.',
    setup: 'Administratorkonto anlegen',
    name: 'Name',
    optional: '(optional)',
    createAccount: 'Konto anlegen',
    choosePassword: 'Passwort wählen',
    setPassword: 'Passwort festlegen',
    setPasswordAndSignIn: 'Passwort festlegen und anmelden',
    passwordSet: 'Passwort festgelegt',
    yourPasswordIsSet: 'Ihr Passwort ist festgelegt',
    passwordSetText: 'Alle Sitzungen und Zugriffstokens Ihres Kontos sind beendet.',
    invalidLink: 'Ungültiger Link',
    thisLinkIsInvalid: 'Dieser Link ist ungültig',
    invalidSetupLink: 'Er wurde bereits verwendet, oder der Server hat im Terminal einen neueren ausgegeben.',
    invalidPasswordLink:
      'Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an, oder bitten Sie einen ' +
      'Administrator darum.',
    fields: {
      email: 'Bitte geben Sie eine E-Mail-Adresse ein, die noch kein Konto hat.',
      name: 'Der Name darf höchstens 100 Zeichen haben.',
      password: 'Das Passwort muss 8 bis 512 Zeichen haben.',
    },
  },
});
