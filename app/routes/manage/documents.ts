import { href, redirect } from 'react-router'
import { downloadAllDocuments, downloadDocument, mayExport } from '#app/features/json-export/documents.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/documents'

/** Everything as a file, or the one document that `collection` and `id` name; only after the owner's password (S-015). */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const user = context.get(userContext)
  if (!user || !mayExport(user.id)) return new Response('This is the owner’s.', { status: 403 })
  const form = await readForm(request)
  const proof = await proveItsYou({ shop, page, request }, user, form)
  if (!proof.ok) return answer(page, form, { ok: false, toasts: [proof.error] }, proof.status)
  const [collection, id] = [textOf(form, 'collection'), textOf(form, 'id')]
  if (collection && id) return downloadDocument(shop, collection, id)
  const name = `knots-and-love-${new Date(shop.now()).toISOString().slice(0, 10)}.json`
  return downloadAllDocuments(shop, name)
}

export const loader = () => redirect(href('/manage/settings'))
