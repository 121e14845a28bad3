/** Sends emails by SMTP, or writes them as .eml files while no mail server is configured. [S-038] */
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { OutboxTable } from '#db/schema.ts'
import { ensureFolder, writeFileAtomic } from '#app/lib/storage/atomic-write.server.ts'

export type EmailTransport = ReturnType<typeof createEmailTransport>

/** The settings of a mail server. `from` is the sender of all emails. `url` begins with `smtp://` or `smtps://`, and may contain a user name and a password. */
export type MailServer = { from: string } & (
  | { url: string }
  | { host: string; port: number; user: string; password: string }
)

type Options = {
  /** returns the mail server, or null if no mail server is configured; called for each email, because the owner may change the mail server */
  readServer: () => Promise<MailServer | null>
  /** the sender of emails that are written as files */
  from: string
  folder: string
  /** returns the text of the email with the verification code; the outbox contains the text without the code */
  fill?: (email: OutboxTable) => string
}

export function createEmailTransport({
  readServer,
  from: defaultFrom,
  folder,
  fill = ({ text }) => text,
}: Options) {
  const written = (email: OutboxTable, from: string): SendMailOptions => ({
    from,
    to: email.toAddress,
    // The address is passed as an object, because nodemailer would parse a text as a list of addresses.
    ...(email.replyTo && { replyTo: { name: '', address: email.replyTo } }),
    // If a visitor has typed '=?', mail programs could decode the text after '=?'. The inserted space prevents this.
    subject: email.subject.replaceAll('=?', '= ?'),
    text: fill(email),
    date: new Date(email.createdAt),
    // Each attempt sends the same message id, so that a mailbox recognizes a duplicate.
    messageId: `<${email.id}@${from.split('@').at(-1)}>`,
  })

  let current: { key: string; transporter: Promise<Transporter> } | undefined
  function transporterFor(server: MailServer | null): Promise<Transporter> {
    const key = JSON.stringify(server)
    if (current?.key !== key) current = { key, transporter: openTransporter(server) }
    return current.transporter
  }
  return {
    hasServer: async (): Promise<boolean> => (await readServer()) !== null,
    /** Sends an email, or writes it as a file if no mail server is configured. If sending fails, throws nodemailer's error. */
    async send(email: OutboxTable, timeoutMs: number): Promise<'sent' | 'file'> {
      const server = await readServer()
      const transporter = await transporterFor(server)
      const sent = await transporter.sendMail({
        ...written(email, server?.from ?? defaultFrom),
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (server) return 'sent'
      await ensureFolder(folder, 0o700)
      await writeFileAtomic(
        join(folder, `${email.createdAt}-${email.id}.eml`),
        sent.message as Buffer,
        { mode: 0o600 },
      )
      return 'file'
    },
  }
}

const limitsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }
const isThisMachine = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host)

/** Loads nodemailer only for the first email, so that a shop that sends no emails starts faster and uses less memory. */
async function openTransporter(server: MailServer | null): Promise<Transporter> {
  const { default: nodemailer } = await import('nodemailer')
  if (!server) return nodemailer.createTransport({ streamTransport: true, buffer: true })
  if ('url' in server) return nodemailer.createTransport({ url: server.url, ...limitsMs })
  const { host, port, user, password } = server
  // The password must not be sent without encryption, except to a mail server on the same machine.
  const security = { secure: port === 465, requireTLS: !isThisMachine(host) }
  return nodemailer.createTransport({
    host,
    port,
    ...security,
    auth: { user, pass: password },
    ...limitsMs,
  })
}

/** Connects and logs in to a mail server without sending an email. Returns null, or nodemailer's error. */
export async function verifyMailServer(server: MailServer): Promise<unknown> {
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

const unreachableCodes = [
  'ECONNECTION',
  'ESOCKET',
  'EDNS',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPROTOCOL',
]
const timeoutCodes = ['ETIMEDOUT', 'ABORT_ERR', 'EABORT']

type Fault = 'login' | 'email' | 'timeout' | 'unreachable' | 'encryption' | 'unknown'

/** Explains a failure in words that the owner understands. If `isFinal` is true, a retry cannot succeed. The fault `email` concerns only this email. Any other fault concerns all emails. */
export function classifySmtpError(error: unknown): {
  fault: Fault
  reason: string
  isFinal: boolean
} {
  const {
    code = '',
    name = '',
    response,
    responseCode = 0,
  } = error as { code?: string; name?: string; response?: string; responseCode?: number }
  // Only a response that looks like SMTP is shown, because the owner may have entered the address of another service.
  const said = response && /^\d{3}[ -]/.test(response) ? ` It said: ${response.slice(0, 300)}` : ''
  if (code === 'EAUTH')
    return {
      fault: 'login',
      reason: `The mail server did not accept the user name and password.${said}`,
      isFinal: false,
    }
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    // A 5xx response is final, such as 550 for an unknown mailbox. After a 4xx response, a later attempt may succeed.
    return {
      fault: 'email',
      reason: `The mail server refused the email.${said}`,
      isFinal: responseCode >= 500,
    }
  if (code === 'ETLS')
    return {
      fault: 'encryption',
      reason: `The mail server offers no encrypted connection on this port.${said}`,
      isFinal: false,
    }
  if (timeoutCodes.includes(code) || ['AbortError', 'TimeoutError'].includes(name))
    return { fault: 'timeout', reason: 'The mail server did not respond in time.', isFinal: false }
  if (unreachableCodes.includes(code))
    return {
      fault: 'unreachable',
      reason: `The mail server could not be reached, or closed the connection.${said}`,
      isFinal: false,
    }
  return {
    fault: 'unknown',
    reason: 'The email could not be sent; the log says more.',
    isFinal: false,
  }
}
