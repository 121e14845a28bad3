import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { ensureFolder, writeFileAtomic } from '../storage/atomic-write.server.ts'

export type EmailTransport = ReturnType<typeof createEmailTransport>

type OutgoingEmail = {
  id: string
  kind: string
  toAddress: string
  replyTo: string | null
  subject: string
  text: string
  createdAt: number
}

export type MailServer = { from: string } & (
  | { url: string }
  | { host: string; port: number; user: string; password: string }
)

type TransportOptions = {
  readServer: () => Promise<MailServer | null>
  from: string
  folder: string
  fill?: (email: OutgoingEmail) => string
}

export function createEmailTransport({
  readServer,
  from: defaultFrom,
  folder,
  fill = ({ text }) => text,
}: TransportOptions) {
  const compose = (email: OutgoingEmail, from: string): SendMailOptions => ({
    from,
    // nodemailer would parse a text as a list of addresses.
    to: { name: '', address: email.toAddress },
    ...(email.replyTo && { replyTo: { name: '', address: email.replyTo } }),
    // Mail programs could decode what a visitor typed after '=?'.
    subject: email.subject.replaceAll('=?', '= ?'),
    text: fill(email),
    date: new Date(email.createdAt),
    // Each attempt has the same id, so that a mailbox recognizes a repeated email.
    messageId: `<${email.id}@${from.split('@').at(-1)}>`,
  })

  let current: { key: string; transporter: Promise<Transporter> } | undefined
  function transporterFor(server: MailServer | null) {
    const key = JSON.stringify(server)
    if (current?.key !== key) current = { key, transporter: openTransporter(server) }
    return current.transporter
  }
  return {
    hasServer: async () => (await readServer()) !== null,
    async send(email: OutgoingEmail, timeoutMs: number): Promise<'sent' | 'file'> {
      const server = await readServer()
      const transporter = await transporterFor(server)
      const mail = await transporter.sendMail({
        ...compose(email, server?.from ?? defaultFrom),
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (server) return 'sent'
      await ensureFolder(folder, 0o700)
      const path = join(folder, `${email.createdAt}-${email.id}.eml`)
      await writeFileAtomic(path, mail.message as Buffer, { mode: 0o600 })
      return 'file'
    },
  }
}

const limitsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }

async function openTransporter(server: MailServer | null) {
  const { default: nodemailer } = await import('nodemailer')
  if (!server) return nodemailer.createTransport({ streamTransport: true, buffer: true })
  if ('url' in server) return nodemailer.createTransport({ url: server.url, ...limitsMs })
  const { host, port, user, password } = server
  return nodemailer.createTransport({
    host,
    port,
    secure: port === 465,
    // No password leaves this machine without encryption.
    requireTLS: !['localhost', '127.0.0.1', '::1'].includes(host),
    auth: { user, pass: password },
    ...limitsMs,
  })
}

export async function verifyMailServer(server: MailServer) {
  const transporter = await openTransporter(server)
  try {
    await transporter.verify()
    return null
  } catch (error) {
    return error
  } finally {
    transporter.close()
  }
}

const reasons = {
  login: 'The mail server did not accept the user name and password.',
  email: 'The mail server refused the email.',
  encryption: 'The mail server offers no encrypted connection on this port.',
  timeout: 'The mail server did not respond in time.',
  unreachable: 'The mail server could not be reached, or closed the connection.',
  unknown: 'The email could not be sent; the log says more.',
}

/**
 * The fault 'email' concerns only this email, any other fault all emails. `isFinal` means that a
 * retry cannot succeed.
 */
export function classifySmtpError(error: unknown) {
  const { response = '', responseCode = 0 } = error as { response?: string; responseCode?: number }
  const fault = faultOf(error as { code?: string; name?: string })
  const isAnswer = /^\d{3}[ -]/.test(response) && fault !== 'timeout' && fault !== 'unknown'
  return {
    fault,
    reason: isAnswer ? `${reasons[fault]} It said: ${response.slice(0, 300)}` : reasons[fault],
    isFinal: fault === 'email' && responseCode >= 500,
  }
}

function faultOf({ code = '', name = '' }: { code?: string; name?: string }) {
  switch (code) {
    case 'EAUTH':
      return 'login'
    case 'EENVELOPE':
    case 'EMESSAGE':
      return 'email'
    case 'ETLS':
      return 'encryption'
  }
  if (timeouts.includes(code) || timeouts.includes(name)) return 'timeout'
  return unreachableCodes.test(code) ? 'unreachable' : 'unknown'
}

const timeouts = ['ETIMEDOUT', 'ABORT_ERR', 'EABORT', 'AbortError', 'TimeoutError']
const unreachableCodes = /^E(CONNECTION|SOCKET|DNS|CONNREFUSED|CONNRESET|NOTFOUND|PROTOCOL)$/
