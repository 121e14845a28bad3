import { data } from 'react-router'
import { ConfirmPage } from '#app/features/auth/verification-pages.tsx'
import {
  handleConfirmation,
  showConfirmation,
} from '#app/features/auth/email-verification/verification.server.ts'
import { confirmPageTexts } from '#app/features/auth/email-verification/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { pageTitle, shopNameIn } from '../page-title.ts'
import type { Route } from './+types/confirm-email'

/** Opening the link in the email confirms nothing. Only the button on the page confirms the email address. [LOGIN-18, LOGIN-20, S-230] */
export const loader = ({ url, context }: Route.LoaderArgs) =>
  showConfirmation(
    context.get(appContext),
    url.searchParams.get('code') ?? '',
    context.get(userContext),
  )

export async function action({ request, context }: Route.ActionArgs) {
  const code = formText(await parseForm(request), 'code')
  const { state, status } = await handleConfirmation(
    context.get(appContext),
    context.get(requestInfoContext),
    code,
  )
  return data(state, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, confirmPageTexts.title),
  { name: 'robots', content: 'noindex' },
]

export default function ConfirmEmail({ loaderData, actionData, matches }: Route.ComponentProps) {
  return (
    <ConfirmPage
      state={usePersistentActionData(actionData) ?? loaderData}
      shopName={shopNameIn(matches)}
    />
  )
}
