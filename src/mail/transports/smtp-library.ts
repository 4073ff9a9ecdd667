/** The parts of the library's connection that this module uses, which its types do not declare. */
interface Receiver {
  /** Replies that were received and not processed, one of them in each turn of the event loop. */
  _responseQueue: readonly string[];
  _onData(chunk: Buffer): void;
  /** Ends the connection with an error. */
  _onResponseTooLarge(): void;
}

const LIMITED = Symbol('limited');
/** A server sends one reply to a command; some add empty lines. */
const MAX_REPLIES = 1_000;

/**
 * Loads the library, and limits the number of replies that wait: the library limits only the size of each.
 */
export async function loadSmtp() {
  const [{ createTransport }, { default: Connection }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  limitReplies(Connection.prototype as unknown as Receiver);
  return { createTransport, Connection };
}

function limitReplies(library: Receiver): void {
  const receive = library._onData;
  if (LIMITED in receive) return;
  function receiveLimited(this: Receiver, chunk: Buffer): void {
    receive.call(this, chunk);
    if (this._responseQueue.length > MAX_REPLIES) this._onResponseTooLarge();
  }
  library._onData = Object.assign(receiveLimited, { [LIMITED]: true });
}
