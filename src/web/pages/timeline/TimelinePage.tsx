import { Button, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { FolderOpen, Images } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { shownName } from '../../../text/shown-name.ts';
import { keys } from '../../api/keys.ts';
import { folderQuery } from '../../api/storage.ts';
import { getTimeline, type Month, type Picture } from '../../api/timeline.ts';
import { isDeleted, mayWrite, useWorkspaces, type Workspace, workspaceName } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { WorkspaceSelect } from '../../components/WorkspacePage.tsx';
import { countOf } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { folderAddress } from '../files/entries.ts';
import { NoStorage } from '../files/NoStorage.tsx';
import { opening, usePanels } from '../files/usePanels.ts';
import { Timeline } from './Timeline.tsx';
import { texts } from './texts.ts';

const Preview = lazyComponent(async () => (await import('../files/preview/Preview.tsx')).Preview);

/** The pictures and videos of a folder and of all folders below it, by month. */
export const TimelinePage = ({ folderId }: { folderId: string | null }) =>
  folderId === null ? <NoStorage /> : <FolderTimeline folderId={folderId} />;

function FolderTimeline({ folderId }: { folderId: string }) {
  const months = useQuery({ queryKey: [...keys.timeline, folderId], queryFn: () => getTimeline(folderId) });
  const folder = useQuery(folderQuery(folderId)).data;
  const workspaces = (useWorkspaces().data ?? []).filter((one) => !isDeleted(one));
  const workspace = workspaces.find(({ id }) => id === folder?.workspaceId);
  useDocumentTitle(`${common.timeline} · Posthouse`);
  return (
    <div className="timeline-page">
      <header className="timeline-header">
        <div>
          <Title order={1}>{common.timeline}</Title>
          <p className="timeline-place">{describePlace(folder?.path, workspace, months.data)}</p>
        </div>
        <div className="timeline-actions">
          {workspaces.length > 1 && (
            <WorkspaceSelect
              workspaces={workspaces}
              current={workspace}
              addressOf={({ rootFolderId }) => `/timeline/${rootFolderId}`}
            />
          )}
          <Button
            component={Link}
            href={folderAddress(folderId)}
            variant="default"
            leftSection={<FolderOpen size={17} />}
            className={workspaces.length > 1 ? 'icon-on-phone' : undefined}
          >
            {common.openFolder}
          </Button>
        </div>
      </header>
      <QueryContent query={months}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={texts.empty} text={texts.emptyText} icon={<Images size={28} />} />
          ) : (
            <Content key={folderId} folderId={folderId} months={data} canWrite={mayWrite(workspace)} />
          )
        }
      </QueryContent>
    </div>
  );
}

/** Returns the names of the folders, and the number of pictures and videos. */
function describePlace(
  path: readonly { name: string }[] = [],
  workspace: Workspace | undefined,
  months: readonly Month[] = [],
): string {
  const names = [workspace && workspaceName(workspace), ...path.slice(1).map(({ name }) => shownName(name))];
  const count = countIn(months);
  return [names.filter(Boolean).join(' / '), count > 0 && countOf(count, 'media')]
    .filter(Boolean)
    .join(' · ');
}

const countIn = (months: readonly Month[]) => months.reduce((sum, { count }) => sum + count, 0);

interface ContentProps {
  folderId: string;
  months: readonly Month[];
  canWrite: boolean;
}

/** The timeline, and the viewer above it. */
function Content({ folderId, months, canWrite }: ContentProps) {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, readonly Picture[]>>(new Map());
  const onLoad = useCallback(
    (month: string, files: readonly Picture[]) => setLoaded((before) => new Map(before).set(month, files)),
    [],
  );
  const [, navigate] = useLocation();
  const panels = usePanels();
  const files = useMemo(() => months.flatMap(({ month }) => loaded.get(month) ?? []), [months, loaded]);
  const shown = files.find(({ id }) => id === panels.preview);
  const at = months.findIndex(({ month }) => shown && loaded.get(month)?.includes(shown));
  const inMonth = shown && loaded.get(months[at]?.month ?? '')?.indexOf(shown);
  const position =
    inMonth === undefined ? null : { at: countIn(months.slice(0, at)) + inMonth + 1, of: countIn(months) };
  const { show } = panels;
  const open = useCallback((id: string) => show('preview', id), [show]);
  return (
    <>
      <Timeline
        folderId={folderId}
        months={months}
        loaded={loaded}
        wanted={at < 0 ? [] : months.slice(Math.max(0, at - 1), at + 2).map(({ month }) => month)}
        onLoad={onLoad}
        open={open}
      />
      {panels.preview && (
        <Preview
          id={panels.preview}
          files={files}
          position={position}
          canWrite={canWrite}
          show={(panel, id) =>
            panel === 'details' && shown
              ? navigate(`${folderAddress(shown.folderId)}?details=${id}`, { state: opening('details') })
              : panels.show(panel, id)
          }
        />
      )}
    </>
  );
}
