import { data, href, redirect } from 'react-router'
import { WriteTestimony, sendTestimony } from '#testimonials/write-testimony.tsx'
import { findTicket, openTicket, writeTestimony } from '#testimonials/testimonies.server.ts'
import { isTooLong, type WriteAnswer } from '#testimonials/testimony.ts'
import { ticketTexts } from '#testimonials/texts.ts'
import { appContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { limitAttempts } from '#services/rate-limits.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/write-testimony'

export const handle = { hasFooter: true }

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, log } = context.get(appContext)
  const ticket = await findTicket(db, params.testimonyid).catch((error: unknown) => {
    log.error('a ticket could not be read', error)
    return { state: 'unknown' } as const
  })
  return data(ticket, { status: ticket.state === 'unknown' ? 404 : 200 })
}

const say = (answer: Omit<WriteAnswer, 'ok'>, status = 200) =>
  data<WriteAnswer>({ ok: status === 200, ...answer }, { status })

export async function action({ params, ...args }: Route.ActionArgs) {
  const { app, auth, form } = await readForm(args)
  const isWriting = formText(form, 'intent') === 'write'
  const typed = {
    email: formText(form, 'email'),
    ...(isWriting && { testimony: formText(form, 'testimony') }),
  }
  const refuse = (error: string, status: number) =>
    say({ isMatched: false, ...typed, error }, status)
  const limit = await limitAttempts(auth, 'ticket', params.testimonyid)
  if (limit) return refuse(limit.error, 429)
  const items = await openTicket(app.db, params.testimonyid, typed.email)
  const showThanks = () => redirect(href('/writetestimonials/:testimonyid', params), 303)
  if (!items && (await findTicket(app.db, params.testimonyid)).state === 'taken') {
    return showThanks()
  }
  if (!items) return refuse(ticketTexts.mismatch, 422)
  const { email, testimony } = typed
  if (testimony === undefined) return say({ isMatched: true, email, items })
  if (isTooLong(testimony)) {
    return say({ isMatched: true, items, ...typed, error: ticketTexts.tooLong }, 422)
  }
  const result = await writeTestimony(app, params.testimonyid, { email, testimony })
  return result === 'failed' ? say({ isMatched: true, items, ...typed }, 500) : showThanks()
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
