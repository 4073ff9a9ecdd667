import { z } from '@hono/zod-openapi';
import { anyone } from '../../../kernel/http/auth.ts';
import { multipart } from '../../../kernel/http/bodies/form-body.ts';
import type { PartHead } from '../../../kernel/http/bodies/multipart-fields.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { htmlPage } from '../../../kernel/http/describe.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { languageOf } from '../../../kernel/http/language.ts';
import { html, nameOf, page } from '../../../kernel/http/pages/page.ts';
import { detailFor, prefersPage } from '../../../kernel/http/pages/problem-page.ts';
import { opaque } from '../../../kernel/http/params.ts';
import type { Language } from '../../../kernel/language.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Intake } from '../../intake/ingest.ts';
import { limitReached, type UploadPlace } from '../../links/uploads.ts';
import { readFileName } from '../../tree/names.ts';
import { ANY_ORIGIN, answerPreflights } from '../any-origin.ts';
import { uploaderNameField } from '../fields.ts';
import { outcomeOf } from '../folder-page/outcome.ts';
import { textsOf } from '../folder-page/texts.ts';
import { linkSecretParams } from '../secrets.ts';
import { readFileForm } from '../upload-form.ts';
import { SENDING_PROBLEMS } from './admission.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { createSentFiles, type ReadPart } from './sent-files.ts';

const MAX_PARTS = 1_000;

const form = z.object({ uploaderName: uploaderNameField });

const sentSchema = z.object({
  name: z.string().openapi({ description: 'Name as sent; of the field, or `body`, if the form is invalid' }),
  id: z.uuid().optional(),
  status: z.int().openapi({ description: '201, or the status of the error' }),
  code: z.string().optional().openapi({ description: 'Error code' }),
});

/** Result of a part: the id of its file, or the problem that prevented it. An invalid form adds one for its problem. */
type Outcome = { name: string } & ({ id: string } | { problem: Problem });

/** Files that visitors send through a link to a folder. */
export function mountLinkUploads(app: App, deps: LinkRoutesDeps): void {
  answerPreflights(app, '/public/folder/:token/files', 'POST');
  endpoint(app, {
    method: 'post',
    path: '/public/folder/{token}/files',
    operation: 'sendFiles',
    summary: 'Send files through a link',
    description:
      'Each part `file` is one file, stored or refused independently; nothing is overwritten. If none was stored, ' +
      'the response is the first error. A form that is invalid after a file was stored is read no further: the list ' +
      'ends with its error. Forms posted by a browser get an HTML page.',
    tags: ['sharing'],
    auth: anyone,
    params: { token: opaque },
    query: linkSecretParams,
    body: multipart(form),
    problems: SENDING_PROBLEMS,
    everyResponse: ANY_ORIGIN,
    responses: {
      200: { description: 'The result for each file.', schema: z.object({ files: z.array(sentSchema) }) },
      303: {
        description:
          'Redirect of a form posted by a browser to a confirmation page, when all files were stored.',
      },
    },
    async handler({ c, params: { token }, query, body: { names, check }, reply }) {
      const place = await deps.linkUploads.place(await deps.admit(c, token, query));
      const outcomes = await receiveFiles(c, deps, place, { names, check });
      if (outcomes.length === 0) throw invalidField('file', 'is required');
      const refused = outcomes.filter((outcome) => 'problem' in outcome);
      const isPage = prefersPage(c);
      // A page lists the refused files by name.
      if (refused[0] && refused.length === outcomes.length && (!isPage || outcomes.length === 1))
        throw refused[0].problem;
      if (!isPage) return reply(200, { files: outcomes.map((outcome) => sentRecord(c, outcome)) });
      if (refused.length > 0) return await partlyPage(c, token, { count: outcomes.length, refused });
      return reply(303, undefined, { Location: `/public/folder/${token}/sent` });
    },
  });

  endpoint(app, {
    method: 'get',
    path: '/public/folder/{token}/sent',
    operation: 'getSentPage',
    summary: 'Get the page that follows a form with files',
    tags: ['sharing'],
    auth: anyone,
    params: { token: opaque },
    responses: { 200: htmlPage('The page.') },
    handler: ({ c, params: { token } }) => sentPage(languageOf(c), token),
  });
}

/**
 * Receives the files of a form. A form that is invalid is read no further: the files before stay, and the last result
 * is its problem. The fields before the first file are checked before it is stored.
 */
async function receiveFiles(
  c: Ctx,
  deps: LinkRoutesDeps,
  place: UploadPlace,
  {
    names,
    check,
  }: { names: readonly string[]; check(fields: Record<string, unknown>): z.output<typeof form> },
): Promise<Outcome[]> {
  const fields: Record<string, string> = {};
  let early: z.output<typeof form> | undefined;
  const sent = createSentFiles((head, read) =>
    receiveFile(deps, { place, sender: early?.uploaderName || null, head }, read),
  );
  const file = (head: PartHead) => {
    early ??= check(fields);
    return sent.file(head);
  };
  const rest: Outcome[] = [];
  try {
    await readFileForm(c, { names, fields, maxParts: MAX_PARTS, file, settled: sent.settled });
    await sent.settled();
    const { uploaderName } = check(fields);
    const ids = sent.results.flatMap((outcome) => (outcome && 'id' in outcome ? outcome.id : []));
    if (uploaderName && !early?.uploaderName) await deps.linkUploads.nameSender(ids, uploaderName);
  } catch (error) {
    const last = await sent.abort(error);
    if (!(error instanceof Problem)) throw error;
    const isListed = last && 'problem' in last && last.problem === error;
    if (!isListed) rest.push({ name: error.fields?.[0]?.path ?? 'body', problem: error });
  }
  return [...sent.results.filter((outcome) => outcome !== null), ...rest];
}

async function receiveFile(
  { linkUploads, receiver, stored }: LinkRoutesDeps,
  { place, sender, head }: { place: UploadPlace; sender: string | null; head: PartHead },
  read: ReadPart,
): Promise<Outcome | null> {
  const name = head.fileName ?? '';
  // Browsers send an empty name when no file was chosen.
  if (name === '') return null;
  try {
    const originalName = readFileName(name, 'file');
    const target = { workspaceId: place.folder.workspaceId, freedBytes: 0, bodyBytes: null };
    const file = await receiver.receive(target, async (intake) => {
      await read(withLimit(intake, place.maxBytes - place.link.uploadedBytes));
      return {
        hint: { mediaType: head.mediaType, fileName: originalName },
        commit: (trx, content, reservationId) =>
          linkUploads.add(trx, place, { originalName, sender, content, reservationId }),
      };
    });
    stored(file);
    return { name, id: file.id };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { name, problem: error };
  }
}

/** Returns an intake that refuses a file as soon as its bytes exceed the limit of the link. */
function withLimit(intake: Intake, bytes: number): Intake {
  let left = bytes;
  return {
    ...intake,
    write(chunk) {
      left -= chunk.byteLength;
      if (left < 0) throw limitReached();
      return intake.write(chunk);
    },
  };
}

function sentRecord(c: Ctx, outcome: Outcome): z.infer<typeof sentSchema> {
  const { name } = outcome;
  if ('id' in outcome) return { name, id: outcome.id, status: 201 };
  const { status } = c.env.problems.head(outcome.problem);
  return { name, status, code: outcome.problem.code };
}

function sentPage(language: Language, token: string): Promise<Response> {
  const texts = textsOf(language);
  return page({
    language,
    title: texts.thanks,
    body: html`<h1>${texts.thanks}</h1>
<p>${texts.arrived}</p>
<p><a class="button" href="/public/folder/${token}">${texts.sendMore}</a></p>`,
  });
}

function partlyPage(
  c: Ctx,
  token: string,
  { count, refused }: { count: number; refused: readonly { name: string; problem: Problem }[] },
): Promise<Response> {
  const language = languageOf(c);
  const texts = textsOf(language);
  return page({
    language,
    title: texts.notAccepted(refused.length),
    body: html`<h1>${texts.notAccepted(refused.length)}</h1>
<p>${outcomeOf(language, { all: count, arrived: count - refused.length })}</p>
<ul>${refused.map(({ name, problem }) => html`<li>${nameOf(name)}: ${detailFor(c, problem)}</li>`)}</ul>
<p><a class="button" href="/public/folder/${token}">${texts.sendMore}</a></p>`,
  });
}
