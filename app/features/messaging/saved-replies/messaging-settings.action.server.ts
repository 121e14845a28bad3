import { z } from 'zod'
import { withPlainBreaks } from '#app/features/orders/order.ts'
import { REMINDER_MINUTES } from '#app/features/settings/shop-settings.ts'
import { changeSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { type FormRefusal, validateForm, formText } from '#app/lib/http/form-data.server.ts'
import { done, refused, type ActionOutcome, type ActionResult } from '#app/ui/action-result.ts'
import { isDay } from '#app/ui/format-date.ts'
import { MAX_VACATION_TEXT } from '#app/features/messaging/vacation-notice/vacation.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Db } from '#db/schema.ts'
import { messagingSettingsTexts, savedReplyTexts, vacationTexts } from '../owner-texts.ts'

export const MAX_REPLY_TITLE_LENGTH = 60
export const MAX_REPLY_LENGTH = 5000

export type SavedReply = { id: string; title: string; text: string }
/** `place` is the id of the refused reply, or the intent of another refused form. `typed` contains the values of the refused form. `added` is the id of a new reply. */
export type MessagingSettingsResult = ActionResult & {
  place?: string
  typed?: Record<string, string>
  added?: string
}

const ReminderSchema = z.object({
  reminderMinutes: z.coerce
    .number(messagingSettingsTexts.notInList)
    .refine((minutes) => REMINDER_MINUTES.includes(minutes), messagingSettingsTexts.notInList),
})

const gone = refused(404, { toasts: [savedReplyTexts.gone] })

export async function handleMessagingSettingsAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome<MessagingSettingsResult>> {
  const [intent, id] = [formText(form, 'intent'), formText(form, 'id')]
  const typed = Object.fromEntries(
    ['title', 'text', 'awayFrom', 'awayUntil', 'awayText', 'reminderMinutes'].map((key) => [
      key,
      withPlainBreaks(formText(form, key)),
    ]),
  )
  const refuse = ({ errors }: FormRefusal) =>
    refused<MessagingSettingsResult>(422, { place: id || intent, errors, typed })
  switch (intent) {
    case 'away':
    case 'reminders': {
      const checked =
        intent === 'away'
          ? validateForm(VacationSchema, typed)
          : validateForm(ReminderSchema, typed)
      if (!checked.ok) return refuse(checked)
      await changeSettings(app, actor, checked.data)
      return done(intent === 'away' ? vacationTexts.saved : messagingSettingsTexts.saved)
    }
    case 'add':
    case 'change': {
      const reply = validateForm(ReplyInput, typed)
      if (!reply.ok) return refuse(reply)
      if (intent === 'change')
        return (await changeReply(app, actor, id, reply.data))
          ? done(savedReplyTexts.changed)
          : gone
      return {
        answer: {
          ok: true,
          toasts: [savedReplyTexts.saved],
          added: await addReply(app, actor, reply.data),
        },
        status: 200,
      }
    }
    case 'delete':
      if (formText(form, 'confirm') !== 'Yes') break
      return (await deleteReply(app, actor, id)) ? done(savedReplyTexts.deleted) : gone
  }
  return refused(400)
}

const ReplyInput = z.object({
  title: z
    .string()
    .trim()
    .min(1, savedReplyTexts.noName)
    .max(MAX_REPLY_TITLE_LENGTH, savedReplyTexts.longName(MAX_REPLY_TITLE_LENGTH)),
  text: z
    .string()
    .trim()
    .min(1, savedReplyTexts.noText)
    .max(MAX_REPLY_LENGTH, savedReplyTexts.longText(MAX_REPLY_LENGTH)),
})
type ReplyInput = z.infer<typeof ReplyInput>

const day = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(text), vacationTexts.invalidDay)

const VacationSchema = z
  .object({
    awayFrom: day,
    awayUntil: day,
    awayText: z
      .string()
      .trim()
      .max(MAX_VACATION_TEXT, vacationTexts.longMessage(MAX_VACATION_TEXT)),
  })
  .refine(
    ({ awayFrom, awayUntil }) => !isDay(awayFrom) || !isDay(awayUntil) || awayFrom <= awayUntil,
    {
      path: ['awayUntil'],
      error: vacationTexts.wrongOrder,
      // With `when`, Zod compares the days even if another field is invalid, for example if the message is too long.
      when: () => true,
    },
  )

type Deps = Pick<AppServices, 'db' | 'live' | 'now'>

/** This function sorts the replies instead of the database, because SQLite and PostgreSQL sort text differently. [S-184] */
export async function listReplies(db: Db): Promise<SavedReply[]> {
  const rows = await db
    .selectFrom('savedReplies')
    .select(['id', 'title', 'text'])
    .orderBy('id')
    .execute()
  return rows.toSorted((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
}

/** Returns the id of the new reply. */
async function addReply(
  { db, live, now }: Deps,
  actor: string,
  reply: ReplyInput,
): Promise<string> {
  const [id, at] = [newId15(), now()]
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('savedReplies')
      .values({ id, ...reply, createdAt: at, firstCreatedAt: at })
      .execute()
    await recordAuditEvent(tx, {
      at,
      actor,
      act: 'add-saved-reply',
      subject: id,
      name: reply.title,
    })
  })
  live.changed('orders')
  return id
}

/** Returns false if the reply was deleted in the meantime. */
async function changeReply(
  { db, live, now }: Deps,
  actor: string,
  id: string,
  reply: ReplyInput,
): Promise<boolean> {
  const at = now()
  const done = await inTransaction(db, async (tx) => {
    const was = await tx
      .selectFrom('savedReplies')
      .select(['title', 'text'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!was) return 'gone'
    if (was.title === reply.title && was.text === reply.text) return 'same'
    await tx
      .updateTable('savedReplies')
      .set({ ...reply, createdAt: at })
      .where('id', '=', id)
      .execute()
    await recordAuditEvent(tx, {
      at,
      actor,
      act: 'change-saved-reply',
      subject: id,
      name: reply.title,
      detail: { before: was, after: reply },
    })
    return 'changed'
  })
  if (done === 'changed') live.changed('orders')
  return done !== 'gone'
}

/** Returns false if the reply was already deleted. */
async function deleteReply({ db, live, now }: Deps, actor: string, id: string): Promise<boolean> {
  const at = now()
  const isGone = await inTransaction(db, async (tx) => {
    const was = await tx
      .deleteFrom('savedReplies')
      .where('id', '=', id)
      .returning(['title', 'text'])
      .executeTakeFirst()
    if (was)
      await recordAuditEvent(tx, {
        at,
        actor,
        act: 'delete-saved-reply',
        subject: id,
        name: was.title,
        detail: { text: was.text },
      })
    return was !== undefined
  })
  if (isGone) live.changed('orders')
  return isGone
}
