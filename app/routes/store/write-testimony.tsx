import { data, href, redirect } from 'react-router'
import { WriteTestimony, sendTestimony } from '#app/features/testimonials/write-testimony.tsx'
import { findTicket, openTicket, writeTestimony } from '#app/features/testimonials/testimonies.server.ts'
import { isTooLong, testimonyTexts, type WriteAnswer } from '#app/features/testimonials/testimony.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import type { Route } from './+types/write-testimony'

export const handle = { hasFooter: true }

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, log } = context.get(shopContext)
  // S-048: a failed read looks like no ticket.
  const ticket = await findTicket(db, params.testimonyid).catch((error: unknown) => {
    log.error('a ticket could not be read', error)
    return { state: 'unknown' } as const
  })
  return data(ticket, { status: ticket.state === 'unknown' ? 404 : 200 })
}

const say = (answer: WriteAnswer, status = 200) => data(answer, { status })

export async function action({ request, params, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const isWriting = textOf(form, 'intent') === 'write'
  const typed = { email: textOf(form, 'email'), ...(isWriting && { testimony: textOf(form, 'testimony') }) }
  const refuse = (error: string, status: number) => say({ isMatched: false, ...typed, error }, status)
  const seconds = await shop.limits.secondsToWait('ticket', { address: page.clientAddress, account: params.testimonyid })
  if (seconds > 0) return refuse(tooMany(page, seconds).error, 429)
  const items = await openTicket(shop.db, params.testimonyid, typed.email)
  // S-045: a ticket that has been used meanwhile shows the thanks, whoever asks.
  const showThanks = () => redirect(href('/writetestimonials/:testimonyid', params), 303)
  if (!items && (await findTicket(shop.db, params.testimonyid)).state === 'taken') return showThanks()
  if (!items) return refuse(testimonyTexts.mismatch, 422)
  const { email, testimony } = typed
  if (testimony === undefined) return say({ isMatched: true, email, items })
  if (isTooLong(testimony)) return say({ isMatched: true, items, ...typed, error: testimonyTexts.tooLong }, 422)
  const done = await writeTestimony(shop, params.testimonyid, { email, testimony })
  // S-046: after a failure the text stays, without a message.
  return done === 'failed' ? say({ isMatched: true, items, ...typed }, 500) : showThanks()
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) =>
  sendTestimony(await request.clone().formData(), serverAction)

export default function WriteTestimonyRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <WriteTestimony ticket={loaderData} answer={useKeptAnswer(actionData)} />
}
