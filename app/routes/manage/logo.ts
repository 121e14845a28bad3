import { redirect } from 'react-router'
import { changeLogo, removeLogo } from '#app/features/branding/logo.server.ts'
import { MIN_LOGO_SIDE } from '#app/features/branding/logo.ts'
import { logoErrorTexts, logoTexts as texts } from '#app/features/branding/texts.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { appContext, requestInfoContext, userContext } from '#app/services/context.ts'
import type { Route } from './+types/logo'

export const loader = () => redirect('/manage/settings/')

export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, { id }] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext)!,
  ]
  const form = await parseForm(request)
  if (formText(form, 'intent') === 'remove') {
    if (formText(form, 'confirm') !== 'Yes') return respond(info, form, { ok: false }, 400)
    await removeLogo(app, id)
    return respond(info, form, { ok: true, toasts: [texts.removed] })
  }
  const changed = await tryWrite(app.log, 'the logo could not be changed', () =>
    changeLogo(app, id, form.get('file')),
  )
  if (changed.ok) return respond(info, form, { ok: true, toasts: [texts.saved] })
  if (changed.refusal === 'failed')
    return respond(info, form, { ok: false, toasts: [texts.failed] }, 500)
  return respond(
    info,
    form,
    { ok: false, error: logoErrorTexts(MIN_LOGO_SIDE)[changed.refusal] },
    422,
  )
}
