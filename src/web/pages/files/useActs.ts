import { useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { contentAddress, zipAddress } from '../../api/storage.ts';
import type { Changes } from './changes.ts';
import type { Question } from './dialogs.tsx';
import { download } from './download.ts';
import type { EntryAction } from './EntryActions.tsx';
import type { Entry } from './entries.ts';
import type { Selection } from './selection.ts';

/** Carries out what is asked for with lines: at once, or after a question. */
export function useActs(changes: Changes, selection: Selection) {
  const [, navigate] = useLocation();
  const [parameters, setParameters] = useSearchParams();
  const [question, setQuestion] = useState<Question | null>(null);
  const replacement = useRef<HTMLInputElement>(null);
  const replaced = useRef<Entry>(null);

  const show = (kind: 'preview' | 'details', id: string | null) =>
    setParameters((earlier) => {
      const next = new URLSearchParams(earlier);
      if (id === null) next.delete(kind);
      else next.set(kind, id);
      return next;
    });

  function act(action: EntryAction, some: readonly Entry[]) {
    const [first] = some;
    if (!first) return;
    const withFolder = some.some(({ kind }) => kind === 'folder');
    if (action === 'open' && first.kind === 'folder') navigate(`/files/${first.id}`);
    else if (action === 'open') show('preview', first.id);
    else if (action === 'details' && first.kind === 'file') show('details', first.id);
    else if (action === 'download') download(some.map(({ kind, id }) => (kind === 'folder' ? zipAddress(id) : contentAddress(id))));
    else if (action === 'rename') setQuestion({ kind: 'rename', entry: first });
    else if (action === 'move') setQuestion({ kind: 'move', entries: some });
    else if (action === 'replace' && first.kind === 'file' && some.length === 1) {
      replaced.current = first;
      replacement.current?.click();
    } else if (action === 'delete' && withFolder) setQuestion({ kind: 'deleteFolders', entries: some });
    else if (action === 'delete') {
      selection.clear();
      void changes.removeFiles(some);
    }
  }

  return {
    act,
    question,
    ask: setQuestion,
    /** What the address says is open. */
    shown: { preview: parameters.get('preview'), details: parameters.get('details') },
    show,
    /** The input that a new content is chosen with, and what it is for. */
    replacement,
    replaced,
  };
}
