import type { Socket } from 'bun';

/*
 * Accepts and discards e-mails, in a separate process. Prints its ports for SMTP and HTTP; over HTTP, it reports the
 * number of e-mails and the time between the first and the last, and `/reset` starts again.
 */

interface Session {
  inData: boolean;
  rest: string;
}

let arrived = 0;
let first = 0;
let last = 0;

function noteArrival(): void {
  arrived++;
  last = performance.now();
  if (first === 0) first = last;
}

function answerTo(line: string, session: Session): string {
  const verb = line.slice(0, 4).toUpperCase();
  if (verb === 'EHLO') return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 100000000\r\n';
  if (verb === 'DATA') {
    session.inData = true;
    return '354 go on\r\n';
  }
  return verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n';
}

const sink = Bun.listen<Session>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket: Socket<Session>) {
      socket.data = { inData: false, rest: '' };
      socket.write('220 sink ESMTP\r\n');
    },
    data(socket, chunk) {
      const session = socket.data;
      session.rest += chunk.toString('latin1');
      let answers = '';
      for (;;) {
        if (session.inData) {
          const end = session.rest.indexOf('\r\n.\r\n');
          if (end < 0) {
            session.rest = session.rest.slice(-4);
            break;
          }
          session.rest = session.rest.slice(end + 5);
          session.inData = false;
          noteArrival();
          answers += '250 taken\r\n';
          continue;
        }
        const end = session.rest.indexOf('\r\n');
        if (end < 0) break;
        answers += answerTo(session.rest.slice(0, end), session);
        session.rest = session.rest.slice(end + 2);
      }
      if (answers) socket.write(answers);
    },
  },
});

const control = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    if (new URL(request.url).pathname === '/reset') {
      arrived = 0;
      first = 0;
    }
    return Response.json({ arrived, seconds: (last - first) / 1000 });
  },
});
process.stdout.write(`${sink.port} ${control.port}\n`);
