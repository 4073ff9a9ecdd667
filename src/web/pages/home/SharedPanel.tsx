import { keys } from '../../api/keys.ts';
import { listShared } from '../../api/links.ts';
import { useItems } from '../../api/pages.ts';
import { MoreButton } from '../../components/MoreButton.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { SharedRow } from '../shared/SharedRow.tsx';
import { SHARE_HINT } from '../shared/share-hint.ts';
import { texts } from './texts.ts';

const SHOWN = 8;

/** Items that others can open with a link. */
export function SharedPanel() {
  const links = useItems({ queryKey: keys.links, load: listShared(undefined, SHOWN) });
  return (
    <Panel title={common.shared} description={texts.sharedText} flush>
      <QueryRows
        query={links}
        label={common.shared}
        row={(link) => <SharedRow key={link.id} link={link} />}
        empty={
          <p className="panel-note">
            {texts.nothingShared} {SHARE_HINT}
          </p>
        }
      />
      <MoreButton pages={links} inPanel />
    </Panel>
  );
}
