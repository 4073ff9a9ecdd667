import { Menu } from '@mantine/core';
import { ChevronRight, Ellipsis, Folder } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { shownName } from '../../../../text/shown-name.ts';
import { workspaceName } from '../../../api/workspaces.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { Name } from '../../../components/Name.tsx';
import { useIsPhone } from '../../../components/useIsPhone.ts';
import { folderAddress } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from '../texts.ts';

/** Number of steps that are shown, including the folder itself. */
const [SHOWN, SHOWN_ON_PHONE] = [4, 2];
/** Length in characters above which a name may be cut. */
const WHOLE_LENGTH = 24;

interface Step {
  id: string;
  name: string;
  address: string;
}

/**
 * The path of the folder on one line. Each step is a link and accepts drops; the last one is the heading of the page.
 * A menu has all steps with their whole names, if some are left out or may be cut.
 */
export function PathBar({ path }: { path: readonly { id: string; name: string }[] }) {
  const { drag, workspace } = useFilesPage();
  const isPhone = useIsPhone();
  const steps = path.map(({ id, name }, index) => ({
    id,
    name: index === 0 && workspace ? workspaceName(workspace) : name,
    address: folderAddress(id, index === 0 && workspace?.personal),
  }));
  const shown = steps.slice(isPhone ? -SHOWN_ON_PHONE : -SHOWN);
  const isCut = shown.length < steps.length || steps.some(({ name }) => name.length > WHOLE_LENGTH);
  const last = steps.at(-1);
  return (
    <nav aria-label={texts.folderPath} className="path-bar">
      {isCut && <PathMenu steps={steps} />}
      {shown.slice(0, -1).map(({ id, name, address }) => (
        <Fragment key={id}>
          <Link href={address} title={shownName(name)} draggable={false} {...drag.target({ id, name })}>
            <Name name={name} />
          </Link>
          <ChevronRight size={16} aria-hidden />
        </Fragment>
      ))}
      <h1 title={last && shownName(last.name)}>{last && <Name name={last.name} />}</h1>
    </nav>
  );
}

/** A button with a menu of all steps. */
function PathMenu({ steps }: { steps: readonly Step[] }) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <IconButton label={texts.wholePath} icon={<Ellipsis size={18} />} variant="subtle" color="gray" />
      </Menu.Target>
      <Menu.Dropdown className="path-menu">
        {steps.map(({ id, name, address }, index) => (
          <Menu.Item
            key={id}
            component={Link}
            href={address}
            aria-current={index === steps.length - 1 ? 'page' : undefined}
            leftSection={<Folder size={16} />}
          >
            <Name name={name} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
