import { data, href, redirect } from 'react-router'
import { findTicket, openTicket, writeTestimony } from '#app/features/testimonials/testimonies.server.ts'
import { MAX_TESTIMONY, testimonyTexts, type WriteAnswer } from '#app/features/testimonials/testimony.ts'
import { WriteTestimony } from '#app/features/testimonials/write-testimony.tsx'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Route } from './+types/write-testimony'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, log } = context.get(shopContext)
  // S-048: a failed read looks like no ticket.
  const ticket = await findTicket(db, params.testimonyid).catch((error: unknown) => {
    log.error('a ticket could not be read', error)
    return { state: 'unknown' } as const
  })
  return data(ticket, { status: ticket.state === 'unknown' ? 404 : 200 })
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const [email, testimony] = [textOf(form, 'email'), textOf(form, 'testimony')]
  const say = (answer: WriteAnswer, status = 200) => data(answer, { status })
  if (!(await shop.limits.allow('ticket', context.get(pageContext).clientAddress)))
    return say({ isMatched: false, email, error: testimonyTexts.tooMany }, 429)
  const items = await openTicket(shop.db, params.testimonyid, email)
  // S-045: a ticket that has been used meanwhile shows the thanks, whoever asks.
  const showThanks = () => redirect(href('/writetestimonials/:testimonyid', params), 303)
  if (!items && (await findTicket(shop.db, params.testimonyid)).state === 'taken') return showThanks()
  if (!items) return say({ isMatched: false, email, error: testimonyTexts.mismatch }, 422)
  if (textOf(form, 'intent') !== 'write') return say({ isMatched: true, email, items })
  if (testimony.length > MAX_TESTIMONY) return say({ isMatched: true, email, items, testimony, error: testimonyTexts.tooLong }, 422)
  const done = await writeTestimony(shop, params.testimonyid, { email, testimony })
  // S-046: after a failure the text stays, without a message.
  return done === 'failed' ? say({ isMatched: true, email, items, testimony }, 500) : showThanks()
}

export default function WriteTestimonyRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <WriteTestimony ticket={loaderData} answer={actionData} />
}
