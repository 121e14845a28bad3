/** Mail leaves through an outbox row, written in the transaction of what it tells; delivery follows after the commit. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Db, OutboxTable, Tx } from '#db/tables.ts'
import { newId15 } from './ids.ts'
import type { Log } from './log.server.ts'

export type Letter = { kind: string; to: string; replyTo?: string; subject: string; text: string }
export type Mail = {
  /** Puts the letter into the outbox; gives its id. */
  post: (tx: Tx | Db, letter: Letter, now: number) => Promise<string>
  /** Tries to deliver one letter now; false when it has to wait for a later try. */
  deliver: (id: string) => Promise<boolean>
  /** Tries everything that is due. */
  deliverDue: () => Promise<void>
}

const MINUTE = 60_000
/** Pauses before the next tries; after the last one the letter counts as undeliverable. */
const pauses = [1, 5, 15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE)

type Setup = { db: Db; smtpUrl: string | null; from: string; folder: string; now: () => number; log: Log }

export function openMail({ db, smtpUrl, from, folder, now, log }: Setup): Mail {
  const transport = smtpUrl
    ? nodemailer.createTransport({ url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
    : nodemailer.createTransport({ streamTransport: true, buffer: true })

  async function send(letter: OutboxTable) {
    const sent = await transport.sendMail({
      from,
      to: letter.toAddress,
      replyTo: letter.replyTo ?? undefined,
      subject: letter.subject,
      text: letter.text,
      messageId: `<${letter.id}@knots-and-love>`,
    })
    if (smtpUrl) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, `${letter.createdAt}-${letter.id}.eml`), (sent as unknown as { message: Buffer }).message, { mode: 0o600 })
  }

  async function deliver(id: string): Promise<boolean> {
    const letter = await db
      .selectFrom('outbox')
      .selectAll()
      .where('id', '=', id)
      .where('sentAt', 'is', null)
      .where('failedAt', 'is', null)
      .executeTakeFirst()
    if (!letter) return false
    // Claimed by moving its next try ahead: a second process or a second call leaves it alone.
    const pause = pauses[letter.attempts]
    const claimed = await db
      .updateTable('outbox')
      .set({ attempts: letter.attempts + 1, nextAttemptAt: now() + (pause ?? 0) })
      .where('id', '=', id)
      .where('attempts', '=', letter.attempts)
      .executeTakeFirst()
    if (claimed.numUpdatedRows === 0n) return false
    try {
      await send(letter)
      await db.updateTable('outbox').set({ sentAt: now(), lastError: null }).where('id', '=', id).execute()
      return true
    } catch (error) {
      log.error('a letter could not be sent', error, { id, attempt: letter.attempts + 1 })
      const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
      await db
        .updateTable('outbox')
        .set({ lastError: reason, failedAt: pause === undefined ? now() : null })
        .where('id', '=', id)
        .execute()
      return false
    }
  }

  return {
    async post(tx, letter, at) {
      const id = newId15()
      await tx
        .insertInto('outbox')
        .values({
          id,
          kind: letter.kind,
          toAddress: letter.to,
          replyTo: letter.replyTo ?? null,
          subject: letter.subject,
          text: letter.text,
          createdAt: at,
          attempts: 0,
          nextAttemptAt: at,
          sentAt: null,
          failedAt: null,
          lastError: null,
        })
        .execute()
      return id
    },
    deliver,
    async deliverDue() {
      const due = await db
        .selectFrom('outbox')
        .select('id')
        .where('sentAt', 'is', null)
        .where('failedAt', 'is', null)
        .where('nextAttemptAt', '<=', now())
        .orderBy('nextAttemptAt')
        .limit(50)
        .execute()
      for (const { id } of due) await deliver(id)
    },
  }
}
