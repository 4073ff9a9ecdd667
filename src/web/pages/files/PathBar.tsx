import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { shownName } from '../../../text/shown-name.ts';
import { workspaceName } from '../../api/workspaces.ts';
import { Name } from '../../components/Name.tsx';
import { folderAddress } from './entries.ts';
import { useFilesPage } from './FilesContext.ts';
import { texts } from './texts.ts';

/** The path of the folder. Each step is a link and accepts drops; the last one is the heading of the page. */
export function PathBar({ path }: { path: readonly { id: string; name: string }[] }) {
  const { drag, workspace } = useFilesPage();
  const steps = path.map(({ id, name }, index) => ({
    id,
    name: index === 0 && workspace ? workspaceName(workspace) : name,
    address: folderAddress(id, index === 0 && workspace?.personal),
  }));
  const last = steps.at(-1);
  return (
    <nav aria-label={texts.folderPath} className="path-bar">
      {steps.slice(0, -1).map(({ id, name, address }) => (
        <Fragment key={id}>
          <Link href={address} draggable={false} {...drag.target({ id, name })}>
            <Name name={name} />
          </Link>
          <ChevronRight size={16} aria-hidden />
        </Fragment>
      ))}
      <h1 title={last && shownName(last.name)}>{last && <Name name={last.name} />}</h1>
    </nav>
  );
}
