import { href, redirect } from 'react-router'
import {
  downloadAllDocuments,
  downloadDocument,
  canExport,
} from '#app/features/json-export/documents.server.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/download-documents'

/** Downloads the document with the given `collection` and `id`, or all documents if these fields are missing. Requires the owner's password. [S-015] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const user = context.get(userContext)
  if (!user || !canExport(user.id))
    return new Response('Only the owner may open this.', { status: 403 })
  const form = await parseForm(request)
  const reauthentication = await reauthenticate({ app, info, request }, user, form)
  if (!reauthentication.ok)
    return respond(
      info,
      form,
      { ok: false, toasts: [reauthentication.error] },
      reauthentication.status,
    )
  const [collection, id] = [formText(form, 'collection'), formText(form, 'id')]
  if (collection && id) return downloadDocument(app, collection, id)
  const name = `knots-and-love-${new Date(app.now()).toISOString().slice(0, 10)}.json`
  return downloadAllDocuments(app, name)
}

export const loader = () => redirect(href('/manage/settings'))
