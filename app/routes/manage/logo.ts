import { redirect } from 'react-router'
import { changeLogo, removeLogo } from '#branding/logo.server.ts'
import { MIN_LOGO_SIDE } from '#branding/logo.ts'
import { logoErrorTexts, logoTexts as texts } from '#branding/texts.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { done, refused } from '#ui/action-result.ts'
import type { Route } from './+types/logo'

export const loader = () => redirect('/manage/settings/')

export async function action(args: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  if (formText(form, 'intent') === 'remove') {
    if (formText(form, 'confirm') !== 'Yes') return reply(refused(400))
    await removeLogo(app, user!.id)
    return reply(done(texts.removed))
  }
  const change = await tryWrite(app.log, 'the logo could not be changed', () =>
    changeLogo(app, user!.id, form.get('file')),
  )
  if (change.ok) return reply(done(texts.saved))
  if (change.refusal === 'failed') return reply(refused(500, { toasts: [texts.failed] }))
  return reply(refused(422, { error: logoErrorTexts(MIN_LOGO_SIDE)[change.refusal] }))
}
