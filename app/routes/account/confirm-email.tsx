import { data } from 'react-router'
import { ConfirmPage } from '#app/features/auth/code-pages.tsx'
import { receiveConfirmation, showConfirmation } from '#app/features/auth/email-verification/verification.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { pageTitle, shopNameIn } from '../page-title.ts'
import type { Route } from './+types/confirm-email'

/** LOGIN-18, LOGIN-20, S-230: a look changes nothing, the button does. */
export const loader = ({ url, context }: Route.LoaderArgs) =>
  showConfirmation(context.get(shopContext), url.searchParams.get('code') ?? '', context.get(userContext))

export async function action({ request, context }: Route.ActionArgs) {
  const code = textOf(await readForm(request), 'code')
  const { state, status } = await receiveConfirmation(context.get(shopContext), context.get(pageContext), code)
  return data(state, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Confirm Email'), { name: 'robots', content: 'noindex' }]

export default function ConfirmEmail({ loaderData, actionData, matches }: Route.ComponentProps) {
  return <ConfirmPage state={useKeptAnswer(actionData) ?? loaderData} shopName={shopNameIn(matches)} />
}
