import { data, href, redirect } from 'react-router'
import { WriteTestimony, sendTestimony } from '#app/features/testimonials/write-testimony.tsx'
import { findTicket, openTicket } from '#app/features/testimonials/testimonies.server.ts'
import { writeTestimony } from '#app/features/testimonials/write-testimony.server.ts'
import { isTooLong, type WriteAnswer } from '#app/features/testimonials/testimony.ts'
import { ticketTexts } from '#app/features/testimonials/texts.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/write-testimony'

export const handle = { hasFooter: true }

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, log } = context.get(appContext)
  // A testimony ticket that cannot be read is treated like an unknown ticket. [S-048]
  const ticket = await findTicket(db, params.testimonyid).catch((error: unknown) => {
    log.error('a ticket could not be read', error)
    return { state: 'unknown' } as const
  })
  return data(ticket, { status: ticket.state === 'unknown' ? 404 : 200 })
}

const say = (answer: WriteAnswer, status = 200) => data(answer, { status })

export async function action({ request, params, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const form = await parseForm(request)
  const isWriting = formText(form, 'intent') === 'write'
  const typed = {
    email: formText(form, 'email'),
    ...(isWriting && { testimony: formText(form, 'testimony') }),
  }
  const refuse = (error: string, status: number) =>
    say({ isMatched: false, ...typed, error }, status)
  const seconds = await app.rateLimits.secondsToWait('ticket', {
    address: info.clientAddress,
    account: params.testimonyid,
  })
  if (seconds > 0) return refuse(tooManyRequests(info, seconds).error, 429)
  const items = await openTicket(app.db, params.testimonyid, typed.email)
  // If the testimony ticket was used already, the page shows the thank-you message. [S-045]
  const showThanks = () => redirect(href('/writetestimonials/:testimonyid', params), 303)
  if (!items && (await findTicket(app.db, params.testimonyid)).state === 'taken')
    return showThanks()
  if (!items) return refuse(ticketTexts.mismatch, 422)
  const { email, testimony } = typed
  if (testimony === undefined) return say({ isMatched: true, email, items })
  if (isTooLong(testimony))
    return say({ isMatched: true, items, ...typed, error: ticketTexts.tooLong }, 422)
  const done = await writeTestimony(app, params.testimonyid, { email, testimony })
  // If the testimony could not be stored, the page keeps the text and does not show the thank-you page. [S-046]
  return done === 'failed' ? say({ isMatched: true, items, ...typed }, 500) : showThanks()
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) =>
  sendTestimony(await request.clone().formData(), serverAction)

export default function WriteTestimonyRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <WriteTestimony
      ticket={loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
