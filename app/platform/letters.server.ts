/** How a letter leaves the house: by SMTP, or as an .eml file as long as no mail server is set (S-038). */
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { OutboxTable } from '#db/schema.ts'
import { makeFolder, putFile } from './durable-file.server.ts'

export type Letters = ReturnType<typeof openLetters>

type Setup = {
  smtpUrl: string | null
  from: string
  folder: string
  /** puts in what the outbox does not know (036) */
  fill?: (letter: OutboxTable) => string
}

export function openLetters({ smtpUrl, from, folder, fill = ({ text }) => text }: Setup) {
  const written = (letter: OutboxTable): SendMailOptions => ({
    from,
    to: letter.toAddress,
    // As an object: what is in it is one address, never a list to be read.
    ...(letter.replyTo && { replyTo: { name: '', address: letter.replyTo } }),
    // Encoded words that somebody typed would be decoded by the reader's program: taken apart, they stay what was typed.
    subject: letter.subject.replaceAll('=?', '= ?'),
    text: fill(letter),
    date: new Date(letter.createdAt),
    // The same at each try: a mailbox that had got the letter after all knows it again.
    messageId: `<${letter.id}@${from.split('@').at(-1)}>`,
  })

  let transport: Promise<Transporter> | undefined
  /** The mail library is loaded with the first email, so that a shop without email starts faster and uses less memory. */
  const open = () =>
    (transport ??= import('nodemailer').then(({ default: nodemailer }) => {
      const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 }
      return nodemailer.createTransport(smtpUrl ? { url: smtpUrl, ...limits } : ({ streamTransport: true, buffer: true } as object))
    }))
  return {
    hasServer: smtpUrl !== null,
    async send(letter: OutboxTable, patience: number): Promise<void> {
      const sent = await (await open()).sendMail({ ...written(letter), signal: AbortSignal.timeout(patience) })
      if (smtpUrl) return
      await makeFolder(folder, 0o700)
      await putFile(join(folder, `${letter.createdAt}-${letter.id}.eml`), sent.message as Buffer, { mode: 0o600 })
    },
  }
}

const unreached = ['ECONNECTION', 'ESOCKET', 'EDNS', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPROTOCOL']
const late = ['ETIMEDOUT', 'ABORT_ERR', 'EABORT']

/** Why a try failed, in the owner's words, and whether another one could end otherwise. */
export function refusalOf(error: unknown): { reason: string; isFinal: boolean } {
  const {
    code = '',
    name = '',
    response,
    responseCode = 0,
  } = error as { code?: string; name?: string; response?: string; responseCode?: number }
  const said = response ? ` It said: ${response.slice(0, 300)}` : ''
  if (code === 'EAUTH') return { reason: `The mail server did not accept the name and password in SMTP_URL.${said}`, isFinal: false }
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    // A 5xx about this letter stays one (550 no such mailbox, 552 too large); a 4xx means: later.
    return { reason: `The mail server refused the letter.${said}`, isFinal: responseCode >= 500 }
  if (late.includes(code) || ['AbortError', 'TimeoutError'].includes(name))
    return { reason: 'The mail server did not answer in time.', isFinal: false }
  if (unreached.includes(code)) return { reason: `The mail server could not be reached, or broke off.${said}`, isFinal: false }
  return { reason: 'The letter could not be sent; the log of the shop says more.', isFinal: false }
}
