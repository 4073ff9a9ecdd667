import type { texts } from './texts.ts';

/** Why content cannot be shown. */
export type PreviewFailure = keyof typeof texts.failures;
