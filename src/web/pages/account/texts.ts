export const texts = {
  profile: 'Profile',
  passwordChanged: 'Password changed',
  passwordText: 'Changing the password ends all other sessions and deletes all tokens.',
  currentPassword: 'Current password',
  wrongPassword: 'The current password is wrong.',
  changePassword: 'Change password',
  sessions: 'Sessions',
  sessionsText: 'Sign out of devices you no longer use.',
  thisBrowser: 'This browser',
  signOutOf: (name: string) => `Sign out of ${name}`,
  createToken: 'Create token',
  scope: 'Scope',
  days: (days: number) => `${days} days`,
  tokens: 'Personal access tokens',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  unknownProgram: 'Unknown program',
  tokensText:
    'For scripts that use your files. Send a token as “Authorization: Bearer TOKEN”. Tokens do not give ' +
    'access to administration.',
  language: 'Language',
  languageText: 'For this app, other pages of this server, and e-mails to you.',
  browserLanguage: 'Browser language',
};
