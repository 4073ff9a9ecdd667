import { Anchor } from '@mantine/core';
import { texts } from './texts.ts';

/** A link to the API documentation, which is outside the app. */
export const ApiDocs = () => (
  <Anchor href="/docs" inherit underline="always">
    {texts.apiDocs}
  </Anchor>
);
