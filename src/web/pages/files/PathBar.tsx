import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { fileTexts as texts } from '../../texts/files.ts';
import { useFilesPage } from './FilesContext.ts';

/** Where the folder lies, each step a link that takes what is dragged onto it. The last is the page's heading. */
export function PathBar({ path }: { path: readonly { id: string; name: string }[] }) {
  const { drag } = useFilesPage();
  const steps = path.map(({ id, name }, index) => ({
    id,
    name: index === 0 ? texts.root : name,
    address: index === 0 ? '/files' : `/files/${id}`,
  }));
  const last = steps.at(-1);
  return (
    <nav aria-label={texts.path} className="path-bar">
      {steps.slice(0, -1).map(({ id, name, address }) => (
        <Fragment key={id}>
          <Link href={address} data-over={drag.over === id || undefined} draggable={false} {...drag.into({ id, name })}>
            {name}
          </Link>
          <ChevronRight size={16} aria-hidden />
        </Fragment>
      ))}
      <h1 title={last?.name}>{last?.name}</h1>
    </nav>
  );
}
