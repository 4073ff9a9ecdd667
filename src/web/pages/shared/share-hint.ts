import { texts } from '../../texts.ts';

/** Names the items of menus that create links. */
export const SHARE_HINT = texts.shareHint(texts.share, texts.shareAndDetails);
