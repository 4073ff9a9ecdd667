import { Anchor } from '@mantine/core';
import { texts } from './texts.ts';

/** Leads to the documentation of the API, which is outside of the app. */
export const ApiDocs = () => (
  <Anchor href="/docs" inherit underline="always">
    {texts.apiDocs}
  </Anchor>
);
