import { Alert } from '@mantine/core';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';

const KINDS = {
  success: { color: 'green', icon: <CircleCheck size={18} /> },
  error: { color: 'red', icon: <CircleAlert size={18} /> },
  pending: { color: 'yellow', icon: <Clock size={18} /> },
};

interface NoticeProps {
  kind: keyof typeof KINDS;
  title?: string;
  children: ReactNode;
}

/** The result of an action or a check. */
export const Notice = ({ kind, title, children }: NoticeProps) => (
  <Alert variant="light" title={title} {...KINDS[kind]}>
    {children}
  </Alert>
);
