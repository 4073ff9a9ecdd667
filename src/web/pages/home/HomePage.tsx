import { Button } from '@mantine/core';
import { Folder } from 'lucide-react';
import { Link } from 'wouter';
import type { Me } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { UsageBar } from '../files/UsageBar.tsx';
import { AdminHome } from './AdminHome.tsx';

/** The page after sign-in: the state of the server for administrators, otherwise the space used. */
export function HomePage({ me }: { me: Me }) {
  return (
    <Page title="Home" description={`Hello, ${me.name || me.email}`}>
      {me.role === 'admin' ? (
        <AdminHome />
      ) : (
        <Panel
          title="Your files"
          actions={
            <Button component={Link} href="/files" leftSection={<Folder size={17} />}>
              Open your files
            </Button>
          }
        >
          <UsageBar />
        </Panel>
      )}
    </Page>
  );
}
