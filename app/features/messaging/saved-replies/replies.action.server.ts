import { z } from 'zod'
import { REMINDER_MINUTES } from '#app/features/settings/shop-settings.ts'
import { changeSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { checkForm, textOf } from '#app/platform/form.server.ts'
import { done, refused, type ActionResult, type Answer } from '#app/ui/answer.ts'
import { isDay } from '#app/ui/dates.ts'
import { MAX_AWAY_TEXT } from '#app/features/messaging/vacation-notice/away.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db } from '#db/schema.ts'

export const MAX_TITLE = 60
export const MAX_REPLY = 5000

export type SavedReply = { id: string; title: string; text: string }
/** `place`: which form was refused, a reply's id or the form's intent; `typed` is what goes back into it. */
export type RepliesAnswer = Answer & { place?: string; typed?: Record<string, string> }

const LettersInput = z.object({
  reminderMinutes: z.coerce
    .number('Please choose from the list')
    .refine((minutes) => REMINDER_MINUTES.includes(minutes), 'Please choose from the list'),
})

const gone = refused(404, { toasts: ['This reply is no longer there.'] })

/** S-180, S-183, S-184, S-185 */
export async function handleRepliesAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult<RepliesAnswer>> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  const typed = Object.fromEntries(
    ['title', 'text', 'awayFrom', 'awayUntil', 'awayText', 'reminderMinutes'].map((key) => [key, textOf(form, key)]),
  )
  const refuse = ({ field, error }: { field: string; error: string }) =>
    refused<RepliesAnswer>(422, { place: id || intent, field, error, typed })
  switch (intent) {
    case 'away':
    case 'letters': {
      const checked = intent === 'away' ? checkForm(AwayInput, typed) : checkForm(LettersInput, typed)
      if (!checked.ok) return refuse(checked)
      await changeSettings(shop, actor, checked.data)
      return done(intent === 'away' ? 'Away message saved' : 'Settings saved')
    }
    case 'add':
    case 'change': {
      const reply = checkForm(ReplyInput, typed)
      if (!reply.ok) return refuse(reply)
      if (intent === 'change') return (await changeReply(shop, actor, id, reply.data)) ? done('Reply changed') : gone
      await addReply(shop, actor, reply.data)
      return done('Reply saved')
    }
    case 'delete':
      if (textOf(form, 'confirm') !== 'Yes') break
      return (await deleteReply(shop, actor, id)) ? done('Reply deleted') : gone
  }
  return refused(400)
}

const ReplyInput = z.object({
  title: z.string().trim().min(1, 'Please give the reply a name').max(MAX_TITLE, `Please keep the name under ${MAX_TITLE} characters`),
  text: z
    .string()
    .trim()
    .min(1, 'Please write the reply')
    .max(MAX_REPLY, `Please keep the reply under ${MAX_REPLY.toLocaleString('en-US')} characters`),
})
type ReplyInput = z.infer<typeof ReplyInput>

const day = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(text), 'Please choose a day, or leave it empty')

const AwayInput = z
  .object({
    awayFrom: day,
    awayUntil: day,
    awayText: z.string().trim().max(MAX_AWAY_TEXT, `Please keep the message under ${MAX_AWAY_TEXT} characters`),
  })
  .refine(({ awayFrom, awayUntil }) => awayFrom === '' || awayUntil === '' || awayFrom <= awayUntil, {
    path: ['awayUntil'],
    error: 'The last day is before the first',
  })

type Doors = Pick<Shop, 'db' | 'live' | 'now'>

/** S-184: by name, as she looks for them; neither database sorts as people do. */
export async function listReplies(db: Db): Promise<SavedReply[]> {
  const rows = await db.selectFrom('savedReplies').select(['id', 'title', 'text']).orderBy('id').execute()
  return rows.toSorted((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
}

async function addReply({ db, live, now }: Doors, actor: string, reply: ReplyInput): Promise<void> {
  const [id, at] = [newId15(), now()]
  await transact(db, async (tx) => {
    await tx
      .insertInto('savedReplies')
      .values({ id, ...reply, createdAt: at, firstCreatedAt: at })
      .execute()
    await recordAct(tx, { at, actor, act: 'add-saved-reply', subject: id, name: reply.title })
  })
  live.changed('orders')
}

/** false: it is no longer there. */
async function changeReply({ db, live, now }: Doors, actor: string, id: string, reply: ReplyInput): Promise<boolean> {
  const at = now()
  const done = await transact(db, async (tx) => {
    const was = await tx.selectFrom('savedReplies').select(['title', 'text']).where('id', '=', id).executeTakeFirst()
    if (!was) return 'gone'
    if (was.title === reply.title && was.text === reply.text) return 'same'
    await tx
      .updateTable('savedReplies')
      .set({ ...reply, createdAt: at })
      .where('id', '=', id)
      .execute()
    await recordAct(tx, { at, actor, act: 'change-saved-reply', subject: id, name: reply.title, detail: { before: was, after: reply } })
    return 'changed'
  })
  if (done === 'changed') live.changed('orders')
  return done !== 'gone'
}

/** false: it is no longer there. */
async function deleteReply({ db, live, now }: Doors, actor: string, id: string): Promise<boolean> {
  const at = now()
  const isGone = await transact(db, async (tx) => {
    const was = await tx.deleteFrom('savedReplies').where('id', '=', id).returning(['title', 'text']).executeTakeFirst()
    if (was) await recordAct(tx, { at, actor, act: 'delete-saved-reply', subject: id, name: was.title, detail: { text: was.text } })
    return was !== undefined
  })
  if (isGone) live.changed('orders')
  return isGone
}
