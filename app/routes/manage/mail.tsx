import { giveLetterUp, readOutbox, tryLetterAgain } from '#app/features/mail/outbox.server.ts'
import { OutboxPage } from '#app/features/mail/outbox-page.tsx'
import { mailTexts } from '#app/features/mail/outbox.ts'
import { pageContext, shopContext, userContext, type Shop } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/mail'

export const meta: Route.MetaFunction = () => [{ title: 'Mail' }]

export const loader = async ({ context }: Route.LoaderArgs) => ({ outbox: await readOutbox(context.get(shopContext)) })

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const { status, ok, text } = await act(context.get(shopContext), context.get(userContext)?.id ?? '', form)
  return answer(context.get(pageContext), form, { ok, toasts: text ? [text] : [] }, status)
}

async function act(shop: Shop, actor: string, form: FormData): Promise<{ status: number; ok: boolean; text?: string }> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  if (intent === 'try') {
    const delivered = await tryLetterAgain(shop, actor, id)
    if (delivered === null) return { status: 404, ok: false, text: mailTexts.gone }
    return { status: 200, ok: delivered, text: delivered ? mailTexts.delivered : mailTexts.notYet }
  }
  if (intent !== 'give-up' || textOf(form, 'confirm') !== 'Yes') return { status: 400, ok: false }
  const isGone = await giveLetterUp(shop, actor, id)
  return isGone ? { status: 200, ok: true, text: mailTexts.givenUp } : { status: 404, ok: false, text: mailTexts.gone }
}

export default function Mail({ loaderData, matches }: Route.ComponentProps) {
  return <OutboxPage outbox={loaderData.outbox} timeZone={matches[0].loaderData.timeZone} />
}
