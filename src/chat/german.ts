import type { Translations } from '../kernel/translations.ts';

/** German messages of fields and sentences of problems. */
export const chatGerman = {
  'must not begin or end with a space': 'darf nicht mit einem Leerzeichen beginnen oder enden',
  'must not look like a GUID, since both identify a client':
    'darf nicht wie eine GUID aussehen, da beide einen Client bezeichnen',
  'must be the platform’s id: at most 20 digits': 'muss die ID der Plattform sein: nur Ziffern, höchstens 20',
  'must be the bot’s token: ASCII letters, digits and punctuation, without spaces':
    'muss das Token des Bots sein: Buchstaben, Ziffern und Satzzeichen in ASCII, ohne Leerzeichen',
  'was refused by the platform. At Discord, copy it from the Developer Portal: Bot, Reset Token':
    'wurde von der Plattform abgelehnt. Kopieren Sie es bei Discord aus dem Developer Portal: Bot, Reset Token',
  'must have at most {} characters after percent-encoding':
    'darf nach der Prozent-Kodierung höchstens {} Zeichen haben',
  'is required to query the platform': 'wird benötigt, um die Plattform abzufragen',
  'matches several guilds; use its GUID': 'passt auf mehrere Server; verwenden Sie die GUID',

  'A chat client named “{}” already exists.':
    'Es gibt bereits einen Chat-Client mit dem Namen „{}“. Wählen Sie einen anderen.',
  'A guild with this platform id already exists.':
    'Es gibt bereits einen Server mit dieser ID der Plattform.',
  'A channel with this platform id already exists.':
    'Es gibt bereits einen Kanal mit dieser ID der Plattform.',
  'An administrator disabled the client.': 'Ein Administrator hat den Client deaktiviert.',
  'An administrator disabled the guild.': 'Ein Administrator hat den Server deaktiviert.',
  'An administrator disabled the channel.': 'Ein Administrator hat den Kanal deaktiviert.',
  'The client is paused, because the platform refused it: {}':
    'Der Client ist angehalten, weil die Plattform ihn abgelehnt hat: {}',
  'The channel is paused, because the platform refused it: {}':
    'Der Kanal ist angehalten, weil die Plattform ihn abgelehnt hat: {}',
} as const satisfies Translations;
