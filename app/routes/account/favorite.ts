import { data, href, redirect } from 'react-router'
import { setFavorite } from '#catalog/catalog.server.ts'
import { favoriteTexts } from '#catalog/texts.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { done, refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/favorite'

const refuse = (refusal: keyof typeof favoriteTexts, status: number) =>
  refused(status, { toasts: [favoriteTexts[refusal]] })

export async function action(args: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  if (!user) return reply(refuse('signedOut', 401))
  const isWanted = formText(form, 'wanted') === 'yes'
  const isThere = await setFavorite(app, user.id, formText(form, 'itemId'), isWanted)
  return reply(isThere ? done() : refuse('noItem', 404))
}

/** With the status 503, React Router does not load the page's data again. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(() => {
    const { answer, status } = refuse('failed', 503)
    return data(answer, { status })
  })

export const loader = () => redirect(href('/'))
