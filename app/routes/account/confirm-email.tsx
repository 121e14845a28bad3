import { ConfirmPage } from '#auth/verification-pages.tsx'
import {
  handleConfirmation,
  showConfirmation,
} from '#auth/email-verification/verification.server.ts'
import { confirmPageTexts } from '#auth/email-verification/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { shopNameIn, unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/confirm-email'

export const loader = ({ url, context }: Route.LoaderArgs) =>
  showConfirmation(
    context.get(appContext),
    url.searchParams.get('code') ?? '',
    context.get(userContext),
  )

export async function action(args: Route.ActionArgs) {
  const { auth, form } = await readForm(args)
  return respond(await handleConfirmation(auth, args.context.get(userContext), form))
}

export const meta: Route.MetaFunction = unlistedTitle(confirmPageTexts.title)

export default function ConfirmEmail({ loaderData, actionData, matches }: Route.ComponentProps) {
  const loginPage = matches[0].loaderData.user?.role === 'guest' ? '/link-guest/' : '/login/'
  return (
    <ConfirmPage
      loginPage={loginPage}
      state={usePersistentActionData(actionData) ?? loaderData}
      shopName={shopNameIn(matches)}
    />
  )
}
