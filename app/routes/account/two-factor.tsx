import { href, redirect } from 'react-router'
import { readTwoFactor, handleTwoFactor } from '#auth/two-factor/two-factor.server.ts'
import { TwoFactorPage } from '#auth/two-factor/two-factor-page.tsx'
import { readPasswordHash } from '#auth/reauthenticate.server.ts'
import { twoFactorTexts } from '#auth/two-factor/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/two-factor'

/** An account without a password is protected by its login provider. [S-232] */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const user = context.get(userContext)!
  if ((await readPasswordHash(app.db, user.id)) === undefined) {
    throw redirect(`${href('/account')}/`)
  }
  return { state: await readTwoFactor(app, user.id), isOwner: user.role === 'owner' }
}

export async function action(args: Route.ActionArgs) {
  const { auth, user, form } = await readForm(args)
  return respond(await handleTwoFactor(auth, user!, form))
}

export const meta: Route.MetaFunction = unlistedTitle(twoFactorTexts.title)

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <TwoFactorPage
      {...loaderData}
      answer={actionData}
    />
  )
}
