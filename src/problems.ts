import { chatProblems } from './chat/problems.ts';
import { identityProblems } from './identity/problems.ts';
import type { ProblemTable } from './kernel/problem.ts';
import { kernelProblems } from './kernel/problems.ts';
import { mailProblems } from './mail/problems.ts';
import { siteProblems } from './site/problems.ts';
import { storageProblems } from './storage/problems.ts';

/** The error codes of the whole server. */
export const PROBLEMS: ProblemTable = {
  ...kernelProblems,
  ...identityProblems,
  ...storageProblems,
  ...chatProblems,
  ...mailProblems,
  ...siteProblems,
};
