import { texts } from '../../texts.ts';

/** Explains which menu items create links. */
export const SHARE_HINT = texts.shareHint(texts.share, texts.shareAndDetails);
