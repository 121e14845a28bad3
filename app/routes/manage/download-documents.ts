import { href, redirect } from 'react-router'
import { downloadAllDocuments, downloadDocument } from '#json-export/documents.server.ts'
import { reauthenticate } from '#auth/reauthenticate.server.ts'
import { userContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/download-documents'

export async function action(args: Route.ActionArgs) {
  const user = args.context.get(userContext)
  if (user?.role !== 'owner') {
    return new Response('Only the owner may open this.', { status: 403 })
  }
  const { app, auth, form, reply } = await readForm(args)
  const refusal = await reauthenticate(auth, user, form)
  if (refusal) return reply(refused(refusal.status, { toasts: [refusal.error] }))
  const collection = formText(form, 'collection')
  const id = formText(form, 'id')
  if (collection && id) return downloadDocument(app, collection, id)
  const name = `knots-and-love-${new Date(app.now()).toISOString().slice(0, 10)}.json`
  return downloadAllDocuments(app, name)
}

export const loader = () => redirect(href('/manage/settings'))
