/** The forms of "Replies and alerts": from the posted intent to what is answered. */
import { z } from 'zod'
import { AwayInput } from '#app/features/away/away-input.ts'
import { REMINDER_MINUTES } from '#app/features/reminders/reminder.ts'
import { changeSettings } from '#app/features/settings/change-settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import type { RepliesAnswer } from './replies-answer.ts'
import { replyTexts } from './saved-reply.ts'
import { ReplyInput } from './saved-replies-input.ts'
import { addReply, changeReply, deleteReply } from './saved-replies.server.ts'

const LettersInput = z.object({
  reminderMinutes: z.coerce
    .number('Please choose from the list')
    .refine((minutes) => REMINDER_MINUTES.includes(minutes), 'Please choose from the list'),
})

type Acted = { status: number; answer: RepliesAnswer }
const done = (text: string): Acted => ({ status: 200, answer: { ok: true, toasts: [text] } })
const gone: Acted = { status: 404, answer: { ok: false, toasts: [replyTexts.gone] } }

/** S-180, S-183, S-184, S-185 */
export async function actOnReplies(shop: Shop, actor: string, form: FormData): Promise<Acted> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  const typed = Object.fromEntries(
    ['title', 'text', 'awayFrom', 'awayUntil', 'awayText', 'reminderMinutes'].map((key) => [key, textOf(form, key)]),
  )
  const refused = ({ issues }: z.ZodError): Acted => {
    const { path, message: error } = issues[0]!
    return { status: 422, answer: { ok: false, place: id || intent, field: String(path[0]), error, typed } }
  }
  switch (intent) {
    case 'away': {
      const away = AwayInput.safeParse(typed)
      if (!away.success) return refused(away.error)
      await changeSettings(shop, actor, away.data)
      return done('Away message saved')
    }
    case 'letters': {
      const letters = LettersInput.safeParse(typed)
      if (!letters.success) return refused(letters.error)
      await changeSettings(shop, actor, letters.data)
      return done('Settings saved')
    }
    case 'add':
    case 'change': {
      const reply = ReplyInput.safeParse(typed)
      if (!reply.success) return refused(reply.error)
      if (intent === 'change') return (await changeReply(shop, actor, id, reply.data)) ? done(replyTexts.changed) : gone
      await addReply(shop, actor, reply.data)
      return done(replyTexts.added)
    }
    case 'delete':
      if (textOf(form, 'confirm') !== 'Yes') break
      return (await deleteReply(shop, actor, id)) ? done(replyTexts.deleted) : gone
  }
  return { status: 400, answer: { ok: false } }
}
