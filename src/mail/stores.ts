import type { GiveWay } from '../kernel/event-loop/time-slices.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { type Contents, createContents } from './contents.ts';
import type { OpensDeps } from './opens.ts';
import { createOpens, type Opens } from './opens.ts';
import { createSpam, type Spam } from './spam.ts';
import { createTemplates, type Templates } from './templates/templates.ts';

interface MailStoresDeps extends OpensDeps {
  giveWay: GiveWay;
}

export interface MailStores {
  clients: Clients;
  contents: Contents;
  templates: Templates;
  spam: Spam;
  opens: Opens;
}

export function createMailStores(deps: MailStoresDeps): MailStores {
  const { database, vault, clock, geoip, publicUrl, giveWay } = deps;
  return {
    clients: createClients({ database, vault, clock }),
    contents: createContents({ database, clock, giveWay }),
    templates: createTemplates({ database, clock }),
    spam: createSpam({ database, clock }),
    opens: createOpens({ database, vault, clock, geoip, publicUrl }),
  };
}
