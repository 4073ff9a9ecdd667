import type { Clock } from '../../kernel/clock.ts';
import type { GiveWay } from '../../kernel/event-loop/time-slices.ts';
import type { Log } from '../../kernel/log.ts';
import type { Geoip } from '../geoip.ts';
import { createCheckHost } from '../hosts.ts';
import type { Opens } from '../opens.ts';
import type { MailSettings } from '../settings.ts';
import type { Templates } from '../templates/templates.ts';
import { type ComposeContact, createContactComposer } from './contact.ts';
import { type ComposeEmail, createEmailComposer } from './email.ts';
import { createRendering, type Rendering } from './rendering/rendering.ts';

interface ComposingDeps {
  clock: Clock;
  log: Log;
  templates: Pick<Templates, 'find'>;
  geoip: Geoip;
  opens: Pick<Opens, 'pixelUrl'>;
  giveWay: GiveWay;
  settings: Pick<MailSettings, 'allowPrivateHosts' | 'sender' | 'smtp' | 'trackOpens'>;
}

/** Composes e-mails from requests. */
export interface Composing {
  rendering: Rendering;
  composeEmail: ComposeEmail;
  composeContact: ComposeContact;
}

export function createComposing(deps: ComposingDeps): Composing {
  const { clock, log, templates, geoip, opens, settings, giveWay } = deps;
  const rendering = createRendering({ log, giveWay });
  const common = { rendering, findTemplate: templates.find, clock, settings };
  return {
    rendering,
    composeEmail: createEmailComposer({
      ...common,
      checkHost: createCheckHost({ allowPrivate: settings.allowPrivateHosts, clock }),
      pixelUrl: settings.trackOpens ? opens.pixelUrl : null,
    }),
    composeContact: createContactComposer({ ...common, geoip }),
  };
}
