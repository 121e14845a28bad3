/** A real mail server for a test: it takes letters, refuses them, hangs or breaks off, as it is told. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type Received = { from: string; to: string[]; raw: string }
/** What happens at a step of the conversation; an Error with a responseCode is the refusal. */
type Manners = {
  /** who does not know it is refused */
  password?: string
  recipient?: (address: string) => Error | null
  /** 'hang': the answer never comes; 'break': the line is cut in the middle of the letter */
  letter?: (raw: string) => Error | 'hang' | 'break' | null
}

export const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** Letters that it said yes to are in `received`, what it was given at all in `seen`. `manners` may be changed at any time. */
export async function openSmtp(manners: Manners = {}, port = 0) {
  const received: Received[] = []
  const seen: string[] = []
  let noted = () => {}
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    disabledCommands: manners.password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: manners.password === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === manners.password ? done(null, { user: username }) : done(refusal(535, 'wrong password')),
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onRcptTo: ({ address }, _session, done) => done(manners.recipient?.(address) ?? null),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
      })
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        seen.push(raw)
        noted()
        const answer = manners.letter?.(raw) ?? null
        if (answer === 'hang') return
        if (answer === 'break') return cut()
        if (answer) return done(answer)
        const { mailFrom, rcptTo } = session.envelope
        received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw })
        done(null)
        noted()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  async function close() {
    cut()
    await new Promise<void>((done) => server.close(() => done()))
  }
  onTestFinished(close)
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    manners,
    received,
    seen,
    /** Ends every open conversation. */
    cut,
    close,
    /** Resolves once `isSo` holds. */
    when: (isSo: () => boolean) =>
      new Promise<void>((done) => {
        noted = () => isSo() && done()
        noted()
      }),
  }
}

/** Something that takes connections and never says a word. */
export async function openSilence() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The headers of a raw letter, unfolded, as [name, value]; the text after them. */
export function readLetter(raw: string): { headers: [string, string][]; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  return {
    headers: lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    body: raw.slice(end + 4),
  }
}
