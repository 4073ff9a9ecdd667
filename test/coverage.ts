import type { ProblemCode } from '../src/kernel/http/codes.ts';

/** Tests by the file that they stand in; each name is the beginning of the test's name as it stands in the source. */
type Shown = Record<string, readonly string[]>;

const REFUSED = { 'test/storage-refusals.test.ts': ['%s is refused with every code that the document names for it'] };
/** Every row of chat and mail. */
const messaging = {
  'test/messaging-refusals.test.ts': ['%s is refused with every code that the document names for it'],
};
/** Every row that sends. */
const sending = {
  ...messaging,
  'test/injection.test.ts': ['line breaks in every text of %s', '__proto__ and constructor in every object of %s'],
  'test/canaries.test.ts': ['is in no answer, page, metric, log, nor in anything stored'],
};
const bytes = {
  'test/storage-bytes.test.ts': ['come whole, and HEAD says the same', 'conditions are obeyed', 'If-Range gives the part of the same file'],
  'test/storage-sharing.test.ts': ['who gets the bytes: the whole table', 'a link ends after so many downloads'],
};
const idempotency = {
  'test/mail-email.test.ts': ['a repeat answers with the first answer and sends once', 'respond-async answers before the mail is sent'],
};

/** What shows that each row of the interface does what it should; every row of storage is refused as `REFUSED` says besides. */
export const ROWS: Record<string, Record<string, Shown>> = {
  Storage: {
    'POST /api/storage/files/{folderId}': {
      'test/contract-fixed.test.ts': ['the upload record'],
      'test/storage-upload.test.ts': [
        'take the fields before and after the file',
        'take a body of unknown length, and one cut into single bytes',
        'take a file of just the limit and refuse one byte more',
        'tell the type from the bytes',
        'that were refused have left no bytes behind',
      ],
      'test/storage-quota.test.ts': ['racing uploads of both kinds never share space, and never all fail'],
      'test/storage-crash.test.ts': ['SIGKILL in the middle leaves no half file, exact usage and all the space'],
    },
    'GET /api/storage/files/{folderId}': {
      'test/contract-fixed.test.ts': ['GET /api/storage/files/{folderId}'],
      'test/storage-files.test.ts': [
        'a listing goes through every page in every order, without a gap or a repeat',
        'a search finds a part of the name without regard to case',
      ],
    },
    'GET /api/storage/files/{fileId}/metadata': {
      'test/contract-fixed.test.ts': ['the metadata of a file'],
      'test/storage-sharing.test.ts': ['listings and metadata leak no secret'],
    },
    'GET /api/storage/files/{fileId}/content': {
      'test/contract-fixed.test.ts': ['GET /api/storage/files/{fileId}/content'],
      'test/storage-bytes.test.ts': ['come whole, and HEAD says the same', 'content is its owner’s'],
    },
    'GET /api/storage/files/{fileId}/thumbnail': {
      'test/contract-fixed.test.ts': ['GET /api/storage/files/{fileId}/thumbnail'],
      'test/storage-thumbnails.test.ts': [
        'an upload is answered at once, its thumbnail follows',
        'hostile pictures cost nothing but their thumbnail',
      ],
    },
    'PATCH /api/storage/files/{fileId}': {
      'test/storage-sharing.test.ts': ['new tokens end the old links', 'a link ends at its time', 'bad changes are refused by field'],
    },
    'POST /api/storage/files/{fileId}/replace': {
      'test/contract-fixed.test.ts': ['POST /api/storage/files/{fileId}/replace'],
      'test/storage-upload.test.ts': ['gives other bytes to the same file', 'that fails leaves the file as it was'],
      'test/storage-quota.test.ts': ['a replacement needs only the difference'],
    },
    'POST /api/storage/files/{fileId}/move': {
      'test/contract-fixed.test.ts': ['POST /api/storage/files/{fileId}/move'],
      'test/storage-files.test.ts': ['move, within the workspace'],
    },
    'DELETE /api/storage/files/{fileId}': {
      'test/contract-fixed.test.ts': ['DELETE /api/storage/files/{fileId}'],
      'test/storage-files.test.ts': ['a deleted file is gone for everyone at once, counts as unused, and comes back'],
    },
    'POST /api/storage/files/{fileId}/restore': {
      'test/storage-files.test.ts': ['what no longer fits is not restored; of a deleted folder it comes back in the root'],
      'test/storage-quota.test.ts': ['of deletes, restores and replacements at once none counts twice'],
      'src/storage/sweeper.test.ts': ['the trash of a workspace holds one quota at most, the oldest goes first'],
    },
    'GET /api/storage/trash': { 'test/storage-trees.test.ts': ['a tree of 10,000 files is moved, counted and deleted as one'] },
    'GET /api/storage/workspaces': {
      'test/storage-files.test.ts': ['strangers and other owners meet nothing'],
      'test/storage-trees.test.ts': ['every person has one workspace, of which they are the owner'],
    },
    'GET /api/storage/usage': { 'test/storage-quota.test.ts': ['counts what is deleted no more, and restores only what fits'] },
    'GET /api/storage/usage/folder/{folderId}': {
      'test/contract-fixed.test.ts': ['GET /api/storage/usage/folder/{folderId} and GET /api/storage/export/{folderId}'],
      'test/storage-folders.test.ts': ['usage counts subfolders'],
    },
    'GET /api/storage/export/{folderId}': {
      'test/contract-fixed.test.ts': ['GET /api/storage/usage/folder/{folderId} and GET /api/storage/export/{folderId}'],
      'test/storage-zip.test.ts': [
        'any range of it is that part of the whole',
        'without a file there is nothing to send',
        'a missing blob breaks the transfer off, and only where it is touched',
      ],
    },
    'POST /api/storage/folders': {
      'test/storage-folders.test.ts': [
        'nest, with the way from the root down',
        'siblings differ in more than case and composition; names come back exactly as given',
        'names of 255 bytes are taken',
      ],
    },
    'GET /api/storage/folders/{folderId}': { 'test/storage-folders.test.ts': ['nest, with the way from the root down'] },
    'PATCH /api/storage/folders/{folderId}': {
      'test/storage-folders.test.ts': [
        'rename and move, but never into itself',
        'of two moves at once that would make a cycle together one is refused',
      ],
    },
    'DELETE /api/storage/folders/{folderId}': {
      'test/storage-folders.test.ts': ['a folder that holds something is deleted only on purpose'],
      'test/storage-trees.test.ts': ['a tree of 10,000 files is moved, counted and deleted as one'],
    },
    'POST /api/storage/uploads': {
      'test/storage-uploads.test.ts': [
        'tus-js-client finishes an upload that is cut twice in the middle',
        'creation with the bytes, an empty file, and a picture with its thumbnail',
      ],
      'test/storage-uploads-trouble.test.ts': ['an upload whose beginning failed holds nothing'],
    },
    'POST /api/storage/uploads/{id}': {
      'test/storage-uploads-trouble.test.ts': ['a client that can send only GET and POST says what it means'],
    },
    'PATCH /api/storage/uploads/{id}': {
      'test/storage-uploads.test.ts': ['a file comes in pieces, one after the other', 'it replaces a file, whose id and links stay'],
      'test/storage-uploads-trouble.test.ts': [
        'the file is in every way that of an ordinary upload',
        'a connection that hangs holds nobody up, and what it had sent is kept',
        'another node goes on with it',
        'of a long request a killed server loses the last part at most',
      ],
    },
    'HEAD /api/storage/uploads/{id}': {
      'test/storage-uploads.test.ts': ['it goes on after the server was killed'],
      'test/storage-uploads-trouble.test.ts': ['metadata come back as they were given'],
    },
    'DELETE /api/storage/uploads/{id}': {
      'test/storage-uploads.test.ts': ['an upload holds its space while it is under way, and gives it back'],
    },
    'GET /api/storage/public/media/{token}': { 'test/contract-fixed.test.ts': ['the anonymous ways to a file'], ...bytes },
    'GET /api/storage/public/private/{fileId}': { 'test/contract-fixed.test.ts': ['the anonymous ways to a file'], ...bytes },
    'GET /public/media/{token}': {
      'test/contract-fixed.test.ts': ['the anonymous ways to a file'],
      'test/storage-thumbnails.test.ts': ['strangers have it under the rules of the file, and it counts as no download'],
      ...bytes,
    },
    'GET /public/file/{token}': {
      'test/storage-share-page.test.ts': [
        'it tells a stranger what the file is and shows it',
        'while it is locked it shows the form and no fact of the file',
      ],
      'test/storage-hostile.test.ts': ['%s runs nothing and asks for nothing'],
    },
    'POST /public/file/{token}': {
      'test/storage-share-page.test.ts': [
        'the right secrets open this file alone, for a while',
        'guessing is slowed down, on the page as elsewhere',
      ],
    },
  },
  Login: {
    'GET /login': {
      'test/identity-login.test.ts': ['a person signs in, is known, and signs out'],
      'test/identity-external.test.ts': ['those whom the operator allows have an account at their first login, and the same at the next'],
    },
    'GET /auth/callback': {
      'test/identity-login.test.ts': [
        'an authorization code works once, and only in the browser that began',
        'the session cookie is out of reach of scripts and other sites',
      ],
    },
    'POST /logout': {
      'test/identity-login.test.ts': ['a person signs in, is known, and signs out'],
      'test/identity-external.test.ts': ['signing out ends the session here and leads to the issuer’s logout'],
    },
    'GET /api/me': { 'test/identity-login.test.ts': ['a person signs in, is known, and signs out'] },
    'GET /api/welcome': { 'test/identity-setup.test.ts': ['is made by a link of the terminal, once'] },
    'GET /setup/{token}': { 'test/identity-setup.test.ts': ['is made by a link of the terminal, once'] },
    'POST /setup/{token}': {
      'test/identity-setup.test.ts': ['is made by a link of the terminal, once', 'a page of another site cannot use the link'],
    },
    'GET /password/{token}': { 'test/identity-people.test.ts': ['an administrator invites a person, who chooses a password by a link'] },
    'POST /password/{token}': { 'test/identity-people.test.ts': ['an administrator invites a person, who chooses a password by a link'] },
  },
  Chat: {
    'POST /api/chatbot/sendmessage': {
      ...sending,
      'test/contract-fixed.test.ts': ['POST /api/chatbot/sendmessage'],
      'test/chat-send.test.ts': [
        'a message arrives, and the answer says where',
        'nobody can be mentioned',
        'long text comes in numbered parts, in order, and nothing is missing',
        'a repeat gets the first answer',
      ],
      'test/chat-limits.test.ts': ['repeats fold into the first, which shows how often it came', 'a restart gives no new burst'],
      'test/restart-limits.test.ts': ['Discord’s of a bot, and of a channel whose bucket was empty'],
    },
    'POST /api/chatbot/canSendMessage': {
      ...messaging,
      'test/contract-fixed.test.ts': ['POST /api/chatbot/canSendMessage'],
      'test/chat-reach.test.ts': ['what it says yes to is sent', 'the answer is remembered, by channel'],
    },
    'GET /api/chatbot/messages/{id}': {
      ...messaging,
      'test/chat-send.test.ts': ['a message arrives, and the answer says where', 'an unknown message'],
    },
    'GET /api/chatbot/ping': { 'test/chat-send.test.ts': ['the pings'] },
    'GET /Ping/test': { 'test/chat-send.test.ts': ['the pings'] },
    'GET /api/Ping/test': { 'test/chat-send.test.ts': ['the pings'] },
  },
  Mail: {
    'POST /requestemail': {
      ...sending,
      'test/contract-fixed.test.ts': ['POST /requestemail'],
      'test/mail-email.test.ts': [
        'every field finds its place',
        'a scheduled mail waits and can be cancelled',
        ...idempotency['test/mail-email.test.ts'],
      ],
      'test/mail-smtp.test.ts': [
        'encrypts when it can, and signs',
        'the certificate of our own server is verified unless the operator says otherwise, others’ always',
        'what was acknowledged outlives a SIGKILL',
      ],
      'test/restart-limits.test.ts': ['an application’s messages of a second'],
    },
    'POST /requesttelegram': {
      ...sending,
      'test/contract-fixed.test.ts': ['POST /requesttelegram'],
      'test/mail-telegram.test.ts': ['a message to users and channels is sent and acknowledged', 'idempotency'],
      'test/restart-limits.test.ts': ['Telegram’s of a chat and of a group, and how long it wanted to be left alone'],
    },
    'POST /sendcontactusform': {
      ...sending,
      'test/contract-fixed.test.ts': ['POST /sendcontactusform in %s'],
      'test/mail-contact.test.ts': ['a message goes to the client’s people, answers go to the visitor', 'idempotency'],
      'test/mail-places.test.ts': ['a contact form from %s: %s'],
    },
    'GET /Ping': { 'test/contract-fixed.test.ts': ['GET /Ping'] },
    'GET /messages/{id}': { ...messaging, 'test/mail-email.test.ts': ['a message belongs to its client'] },
    'DELETE /messages/{id}': { ...messaging, 'test/mail-email.test.ts': ['a scheduled mail waits and can be cancelled'] },
    'GET /mail/opens/{token}': {
      'test/mail-admin.test.ts': ['opens are counted when asked for, without the reader’s address'],
      'test/mail-places.test.ts': ['an open has its region'],
    },
  },
  Operation: {
    'GET /healthz': { 'test/operation.test.ts': ['healthz answers'] },
    'GET /readyz': {
      'test/operation.test.ts': [
        'readyz names every part, and every answer carries the usual headers',
        'readyz names the part that does not work, and the process stays',
      ],
    },
    'GET /metrics': { 'test/operation.test.ts': ['metrics go to loopback, but not through a proxy without the token'] },
  },
};

/** What shows each error code. */
export const CODES_SHOWN: Record<ProblemCode, Shown> = {
  invalid_request: { ...REFUSED, 'test/operation.test.ts': ['a body that cannot be read is refused with what is wrong'] },
  invalid_template: { 'test/mail-admin.test.ts': ['are stored in versions, previewed and sent'] },
  host_not_allowed: { 'test/mail-sandbox.test.ts': ['callers’ private hosts and odd ports are refused alike, before anything is stored'] },
  login_failed: { 'test/identity-login.test.ts': ['an authorization code works once, and only in the browser that began'] },
  login_required: { ...REFUSED, 'test/identity-people.test.ts': ['%s %s is for the right session alone'] },
  bad_credentials: { 'test/identity-people.test.ts': ['a person changes their password, which ends all else'] },
  bad_client: { 'test/mail-email.test.ts': ['are judged before the rest'] },
  relay_key_required: { 'test/chat-send.test.ts': ['is asked for where the client has one'] },
  access_key_required: REFUSED,
  access_key_wrong: REFUSED,
  file_password_required: REFUSED,
  file_password_wrong: REFUSED,
  cross_site_request: { ...REFUSED, 'test/identity-setup.test.ts': ['a page of another site cannot use the link'] },
  admin_required: { 'test/chat-admin.test.ts': ['no token, and nobody else'] },
  scope_insufficient: REFUSED,
  account_not_allowed: { 'test/identity-external.test.ts': ['a script is told the same as a problem'] },
  service_not_allowed: { 'test/mail-email.test.ts': ['belong to services, can be switched off and rotated'] },
  metrics_forbidden: { 'test/operation.test.ts': ['metrics go to loopback, but not through a proxy without the token'] },
  not_found: { ...REFUSED, 'test/operation.test.ts': ['an unknown path is a problem with a request id'] },
  no_thumbnail: REFUSED,
  unknown_client: { 'test/chat-send.test.ts': ['unknown targets'] },
  unknown_guild: { 'test/chat-send.test.ts': ['unknown targets'] },
  unknown_channel: { 'test/chat-send.test.ts': ['unknown targets'] },
  name_taken: REFUSED,
  folder_cycle: REFUSED,
  folder_not_empty: REFUSED,
  path_too_long: { 'test/storage-zip.test.ts': ['a path that no ZIP can hold is refused, and the folders inside are not'] },
  root_folder: REFUSED,
  email_taken: { 'test/identity-people.test.ts': ['an administrator invites a person, who chooses a password by a link'] },
  last_admin: { 'test/identity-people.test.ts': ['the last administrator stays'] },
  target_disabled: {
    'test/chat-trouble.test.ts': ['switched off by an administrator: refused, and what waits goes when it is switched on'],
  },
  target_paused: { 'test/chat-trouble.test.ts': ['403: the channel is paused, others are not, and an administrator lifts it'] },
  idempotency_conflict: { 'test/mail-email.test.ts': ['a repeat answers with the first answer and sends once'] },
  not_cancellable: { 'test/mail-email.test.ts': ['a message belongs to its client'] },
  upload_offset_wrong: REFUSED,
  upload_expired: { 'test/storage-uploads-trouble.test.ts': ['after a day it is over'] },
  link_expired: REFUSED,
  download_limit_reached: REFUSED,
  precondition_failed: REFUSED,
  body_too_large: { ...REFUSED, 'test/mail-email.test.ts': ['a body above 36 MB'] },
  file_too_large: REFUSED,
  unsupported_media_type: REFUSED,
  range_not_satisfiable: REFUSED,
  upload_locked: {
    'test/storage-uploads-trouble.test.ts': ['a request that has lost its lock keeps nothing more, and is told'],
    'src/storage/uploads/locks.test.ts': ['one whose holder never lets go is refused with upload_locked, and had once its lease is over'],
  },
  too_many_attempts: { ...REFUSED, 'test/mail-email.test.ts': ['are blocked after 20 wrong ones, for that client'] },
  rate_limited: { 'test/chat-limits.test.ts': ['a channel takes a burst, then says when to come again; others are not concerned'] },
  checksum_mismatch: REFUSED,
  internal_error: { 'test/storage-bytes.test.ts': ['a blob that somebody took away is an error of the server'] },
  platform_rejected: {
    'test/chat-trouble.test.ts': ['the platform’s refusal is told in its own words, and the parts behind are not sent'],
  },
  issuer_unreachable: { 'test/identity-external.test.ts': ['an issuer that does not answer is told, and tried again'] },
  not_ready: { 'test/operation.test.ts': ['readyz names the part that does not work, and the process stays'] },
  quota_exceeded: REFUSED,
};

/** The row under which the OpenAPI document has it: one name for every id, and GET for HEAD. */
export function documentedAs(row: string): string {
  return row.replace(/\{(?:file|folder)Id\}/, '{id}').replace(/^HEAD /, 'GET ');
}
