/** Sends emails by SMTP, or writes them as .eml files while no mail server is configured. [S-038] */
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { OutboxTable } from '#db/schema.ts'
import { ensureFolder, writeFileAtomic } from '#app/lib/storage/atomic-write.server.ts'

export type EmailTransport = ReturnType<typeof createEmailTransport>

type Options = {
  smtpUrl: string | null
  from: string
  folder: string
  /** inserts codes, which the outbox does not contain */
  fill?: (email: OutboxTable) => string
}

export function createEmailTransport({ smtpUrl, from, folder, fill = ({ text }) => text }: Options) {
  const written = (email: OutboxTable): SendMailOptions => ({
    from,
    to: email.toAddress,
    // An object is never parsed as a list of addresses.
    ...(email.replyTo && { replyTo: { name: '', address: email.replyTo } }),
    // Mail programs would decode encoded words that a visitor has typed; the space keeps the text as typed.
    subject: email.subject.replaceAll('=?', '= ?'),
    text: fill(email),
    date: new Date(email.createdAt),
    // Each attempt has the same id, so that a mailbox recognizes a duplicate.
    messageId: `<${email.id}@${from.split('@').at(-1)}>`,
  })

  let transport: Promise<Transporter> | undefined
  /** nodemailer is loaded with the first email, so that a shop without emails starts faster and uses less memory. */
  const open = () =>
    (transport ??= import('nodemailer').then(({ default: nodemailer }) => {
      const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }
      return nodemailer.createTransport(smtpUrl ? { url: smtpUrl, ...limits } : ({ streamTransport: true, buffer: true } as object))
    }))
  return {
    hasServer: smtpUrl !== null,
    async send(email: OutboxTable, timeoutMs: number): Promise<void> {
      const sent = await (await open()).sendMail({ ...written(email), signal: AbortSignal.timeout(timeoutMs) })
      if (smtpUrl) return
      await ensureFolder(folder, 0o700)
      await writeFileAtomic(join(folder, `${email.createdAt}-${email.id}.eml`), sent.message as Buffer, { mode: 0o600 })
    },
  }
}

const unreachableCodes = ['ECONNECTION', 'ESOCKET', 'EDNS', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPROTOCOL']
const timeoutCodes = ['ETIMEDOUT', 'ABORT_ERR', 'EABORT']

/** Explains a failure in words that the owner understands, and says whether a retry can succeed. */
export function classifySmtpError(error: unknown): { reason: string; isFinal: boolean } {
  const {
    code = '',
    name = '',
    response,
    responseCode = 0,
  } = error as { code?: string; name?: string; response?: string; responseCode?: number }
  const said = response ? ` It said: ${response.slice(0, 300)}` : ''
  if (code === 'EAUTH') return { reason: `The mail server did not accept the name and password in SMTP_URL.${said}`, isFinal: false }
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    // A 5xx response about this email is final (550 no such mailbox, 552 too large); 4xx means that a later attempt may succeed.
    return { reason: `The mail server refused the email.${said}`, isFinal: responseCode >= 500 }
  if (timeoutCodes.includes(code) || ['AbortError', 'TimeoutError'].includes(name))
    return { reason: 'The mail server did not respond in time.', isFinal: false }
  if (unreachableCodes.includes(code))
    return { reason: `The mail server could not be reached, or closed the connection.${said}`, isFinal: false }
  return { reason: 'The email could not be sent; the log says more.', isFinal: false }
}
