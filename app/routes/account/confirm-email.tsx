import { ConfirmPage } from '#auth/verification-pages.tsx'
import {
  handleConfirmation,
  showConfirmation,
} from '#auth/email-verification/verification.server.ts'
import { confirmPageTexts } from '#auth/email-verification/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
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
  return respond(await handleConfirmation(auth, formText(form, 'code')))
}

export const meta: Route.MetaFunction = unlistedTitle(confirmPageTexts.title)

export default function ConfirmEmail({ loaderData, actionData, matches }: Route.ComponentProps) {
  return (
    <ConfirmPage
      state={usePersistentActionData(actionData) ?? loaderData}
      shopName={shopNameIn(matches)}
    />
  )
}
