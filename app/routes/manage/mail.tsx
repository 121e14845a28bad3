import { mailActions, readMail } from '#admin/mail/mail.server.ts'
import { MailPage } from '#admin/mail/mail-page.tsx'
import { readReauthMethod } from '#auth/reauthenticate.server.ts'
import { appContext, userContext } from '#services/context.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { mailTexts } from '#admin/mail/texts.ts'
import type { Route } from './+types/mail'

export const meta: Route.MetaFunction = () => [{ title: mailTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return {
    outbox: await readMail(app),
    reauthMethod: await readReauthMethod(app, context.get(userContext)!),
  }
}

export async function action(args: Route.ActionArgs) {
  const { auth, user, form, reply } = await readForm(args)
  return reply(await handleForm(mailActions, { auth, owner: user! }, form))
}

export default function Mail({ loaderData }: Route.ComponentProps) {
  return <MailPage {...loaderData} />
}
