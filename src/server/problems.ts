import { chatGerman } from '../chat/german.ts';
import { chatProblems } from '../chat/problems.ts';
import { identityGerman } from '../identity/german.ts';
import { identityProblems } from '../identity/problems.ts';
import { kernelGerman } from '../kernel/german.ts';
import type { ProblemTable } from '../kernel/problem.ts';
import { kernelProblems } from '../kernel/problems.ts';
import type { Translations } from '../kernel/translations.ts';
import { mailGerman } from '../mail/german.ts';
import { mailProblems } from '../mail/problems.ts';
import { siteGerman } from '../site/german.ts';
import { siteProblems } from '../site/problems.ts';
import { storageGerman } from '../storage/german.ts';
import { storageProblems } from '../storage/problems.ts';

/** The error codes of the whole server. */
export const PROBLEMS: ProblemTable = {
  ...kernelProblems,
  ...identityProblems,
  ...storageProblems,
  ...chatProblems,
  ...mailProblems,
  ...siteProblems,
};

/** The German messages of fields, and sentences of problems, of the whole server. */
export const GERMAN: Translations = {
  ...kernelGerman,
  ...identityGerman,
  ...storageGerman,
  ...chatGerman,
  ...mailGerman,
  ...siteGerman,
};
