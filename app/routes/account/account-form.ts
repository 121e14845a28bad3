import { data, href, redirect } from 'react-router'
import { accountHandlers } from '#app/features/account/account.action.server.ts'
import { failedAnswers, isAccountForm } from '#app/features/account/account.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { forgetDrafts } from '#app/platform/request-draft.ts'
import { answer } from '../answer.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/account-form'

/** The last part of the address: which form of the account page it is. */
function formAt(url: string) {
  const name = new URL(url).pathname.split('/')[2]?.replace(/\.data$/, '') ?? ''
  if (!isAccountForm(name)) throw data(null, 404)
  return name
}

/** Takes every form of the account page, each at an address of its own; the gate around has let in lasting accounts alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  const done = await accountHandlers[formAt(request.url)]({ shop, page, request }, user, form)
  if (done instanceof Response) return done
  if (done.to !== undefined) form.set('back', done.to)
  return answer(page, form, done.answer, done.status)
}

/** A lost connection is an answer too: the page with what was typed stays. A redirect says that the account is deleted. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    const name = formAt(request.url)
    if (error instanceof Response && name === 'delete') forgetDrafts()
    return lostAnswer(failedAnswers[name])(error)
  })

export const loader = () => redirect(href('/account'))
