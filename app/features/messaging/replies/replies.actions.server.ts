import { z } from 'zod'
import type { Db, Tx } from '#db/schema.ts'
import { withPlainBreaks } from '#conversation/message.ts'
import { changeSettings } from '#settings/settings.server.ts'
import { REMINDER_MINUTES } from '#settings/shop-settings.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import {
  type ActionTable,
  confirmed,
  formAction,
  handleForm,
} from '#lib/http/form-actions.server.ts'
import { formText, validateForm } from '#lib/http/form-data.server.ts'
import { type Refusal, isRefusal, refuse } from '#lib/refusal.ts'
import { newId15 } from '#lib/text/ids.ts'
import { type AuditEvent, recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { type ActionOutcome, type ActionResult, refused } from '#ui/action-result.ts'
import { isDay } from '#ui/format-date.ts'
import { repliesTexts, savedReplyTexts, vacationTexts } from '../owner-texts.ts'

const MAX_VACATION_TEXT = 500

export const MAX_REPLY_TITLE_LENGTH = 60
export const MAX_REPLY_LENGTH = 5000

export type SavedReply = Awaited<ReturnType<typeof listReplies>>[number]
export type RepliesResult = ActionResult & {
  place?: string
  typed?: Record<string, string>
  added?: string
}

const typedText = z.string().trim().overwrite(withPlainBreaks)

const ReplySchema = z.object({
  title: typedText
    .min(1, savedReplyTexts.noName)
    .max(MAX_REPLY_TITLE_LENGTH, savedReplyTexts.longName(MAX_REPLY_TITLE_LENGTH)),
  text: typedText
    .min(1, savedReplyTexts.noText)
    .max(MAX_REPLY_LENGTH, savedReplyTexts.longText(MAX_REPLY_LENGTH)),
})

const day = typedText.refine((text) => text === '' || isDay(text), vacationTexts.invalidDay)

const VacationSchema = z
  .object({
    awayFrom: day,
    awayUntil: day,
    awayText: typedText.max(MAX_VACATION_TEXT, vacationTexts.longMessage(MAX_VACATION_TEXT)),
  })
  .refine(
    ({ awayFrom, awayUntil }) => !isDay(awayFrom) || !isDay(awayUntil) || awayFrom <= awayUntil,
    {
      path: ['awayUntil'],
      error: vacationTexts.wrongOrder,
      when: () => true,
    },
  )

const ReminderSchema = z.object({
  reminderMinutes: z.coerce
    .number(repliesTexts.notInList)
    .refine((minutes) => REMINDER_MINUTES.includes(minutes), repliesTexts.notInList),
})

type SettingsContext = { app: AppServices; actor: string }
type SettingsFields = z.infer<typeof VacationSchema> | z.infer<typeof ReminderSchema>

async function saveSettings({ app, actor }: SettingsContext, fields: SettingsFields) {
  await changeSettings(app, actor, fields)
  return { ok: true } as const
}

const id = z.string()
const refusals = { 'not-found': { status: 404, toasts: [savedReplyTexts.gone] } }

const actions: ActionTable<SettingsContext> = {
  away: formAction({
    schema: VacationSchema,
    run: saveSettings,
    success: vacationTexts.saved,
    refusals: {},
  }),
  reminders: formAction({
    schema: ReminderSchema,
    run: saveSettings,
    success: repliesTexts.saved,
    refusals: {},
  }),
  add: async (context, form) => {
    const reply = validateForm(ReplySchema, Object.fromEntries(form))
    if (!reply.ok) return refused(422, { errors: reply.errors })
    const added = newId15()
    await addReply(context, { id: added, ...reply.data })
    return { answer: { ok: true, toasts: [savedReplyTexts.saved], added }, status: 200 }
  },
  change: formAction({
    schema: ReplySchema.extend({ id }),
    run: changeReply,
    success: savedReplyTexts.changed,
    refusals,
  }),
  delete: confirmed(
    formAction({
      schema: z.object({ id }),
      run: deleteReply,
      success: savedReplyTexts.deleted,
      refusals,
    }),
  ),
}

const TYPED_FIELDS = ['title', 'text', 'awayFrom', 'awayUntil', 'awayText', 'reminderMinutes']

export async function handleMessagingSettingsForm(
  context: SettingsContext,
  form: FormData,
): Promise<ActionOutcome<RepliesResult>> {
  const { answer, status } = await handleForm(actions, context, form)
  if (status !== 422) return { answer, status }
  const { error: _, field: __, ...errors } = answer
  return {
    answer: {
      ...errors,
      place: formText(form, 'id') || formText(form, 'intent'),
      typed: Object.fromEntries(
        TYPED_FIELDS.map((field) => [field, withPlainBreaks(formText(form, field))]),
      ),
    },
    status,
  }
}

/** SQLite and PostgreSQL sort text differently, so the database does not sort. [S-184] */
export async function listReplies(db: Db) {
  const rows = await db
    .selectFrom('savedReplies')
    .select(['id', 'title', 'text'])
    .orderBy('id')
    .execute()
  return rows.toSorted((left, right) =>
    left.title.localeCompare(right.title, 'en', { numeric: true }),
  )
}

function addReply(context: SettingsContext, reply: SavedReply) {
  return writeReply(context, reply.id, async (tx, at) => {
    await tx
      .insertInto('savedReplies')
      .values({ ...reply, createdAt: at, firstCreatedAt: at })
      .execute()
    return { act: 'add-saved-reply', name: reply.title }
  })
}

function changeReply(context: SettingsContext, { id: replyId, ...reply }: SavedReply) {
  return writeReply(context, replyId, async (tx, at) => {
    const before = await tx
      .selectFrom('savedReplies')
      .select(['title', 'text'])
      .where('id', '=', replyId)
      .executeTakeFirst()
    if (!before) return refuse('not-found')
    if (before.title === reply.title && before.text === reply.text) return null
    await tx
      .updateTable('savedReplies')
      .set({ ...reply, createdAt: at })
      .where('id', '=', replyId)
      .execute()
    return { act: 'change-saved-reply', name: reply.title, detail: { before, after: reply } }
  })
}

function deleteReply(context: SettingsContext, { id: replyId }: Pick<SavedReply, 'id'>) {
  return writeReply(context, replyId, async (tx) => {
    const reply = await tx
      .deleteFrom('savedReplies')
      .where('id', '=', replyId)
      .returning(['title', 'text'])
      .executeTakeFirst()
    if (!reply) return refuse('not-found')
    return { act: 'delete-saved-reply', name: reply.title, detail: { text: reply.text } }
  })
}

type ReplyEvent = Pick<AuditEvent, 'act' | 'name' | 'detail'>

async function writeReply(
  { app, actor }: SettingsContext,
  subject: string,
  write: (tx: Tx, at: number) => Promise<ReplyEvent | Refusal<'not-found'> | null>,
) {
  const at = app.now()
  const result = await inTransaction(app.db, async (tx) => {
    const event = await write(tx, at)
    if (event && !isRefusal(event)) await recordAuditEvent(tx, { at, actor, subject, ...event })
    return event
  })
  if (isRefusal(result)) return result
  app.live.changed('orders')
  return { ok: true } as const
}
