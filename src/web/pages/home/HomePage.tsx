import { Button } from '@mantine/core';
import { Folder } from 'lucide-react';
import { Link } from 'wouter';
import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { homeTexts as texts } from '../../texts/home.ts';
import { UsageBar } from '../files/UsageBar.tsx';
import { AdminHome } from './AdminHome.tsx';

/** The first page: how the server is for administrators, how full one's own space is for everybody. */
export function HomePage({ me }: PageProps) {
  return (
    <Page title={texts.title} about={texts.hello(me.name || me.email)}>
      {me.role === 'admin' ? (
        <AdminHome />
      ) : (
        <Panel
          title={texts.myFiles}
          actions={
            <Button component={Link} href="/files" leftSection={<Folder size={17} />}>
              {texts.openFiles}
            </Button>
          }
        >
          <UsageBar />
        </Panel>
      )}
    </Page>
  );
}
