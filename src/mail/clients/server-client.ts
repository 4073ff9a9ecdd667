import { clientDefaults } from './client-settings.ts';
import type { Client } from './clients.ts';

/** Sender of e-mails that belong to no client. */
export const serverClient: Client = {
  ...clientDefaults,
  id: '',
  name: 'Posthouse',
  services: ['email'],
  has: { telegramToken: false, smtp: false, challengeSecret: false },
  dateCreated: 0,
};
