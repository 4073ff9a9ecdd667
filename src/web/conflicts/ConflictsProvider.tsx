import { createContext, type ReactNode, use, useState, useSyncExternalStore } from 'react';
import { lazyComponent } from '../components/lazy-component.tsx';
import { createQuestions, type Questions } from './questions.ts';

const ConflictsContext = createContext<Questions | null>(null);
const ConflictDialog = lazyComponent(async () => (await import('./ConflictDialog.tsx')).ConflictDialog);

/** Provides the questions about taken names, and shows them above every page. */
export function ConflictsProvider({ children }: { children: ReactNode }) {
  const [questions] = useState(createQuestions);
  const question = useSyncExternalStore(questions.subscribe, questions.current);
  return (
    <ConflictsContext value={questions}>
      {children}
      {question && <ConflictDialog question={question} answer={questions.answer} />}
    </ConflictsContext>
  );
}

export function useQuestions(): Questions {
  const questions = use(ConflictsContext);
  if (!questions) throw new Error('useQuestions must be used inside ConflictsProvider');
  return questions;
}
