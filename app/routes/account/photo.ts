import { href, redirect } from 'react-router'
import { changePhoto, removePhoto } from '#app/features/profile/photo.server.ts'
import { PHOTO_FAILED, PROFILE_NOT_UPDATED } from '#app/features/profile/profile.ts'
import { shortPickTexts } from '#app/features/uploads/picked-picture.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/photo'

const refused = (error?: string): Answer => ({ ok: false, toasts: [PROFILE_NOT_UPDATED], ...(error && { field: 'file', error }) })

/** LOGIN-17, LOGIN-34, LOGIN-49 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const seconds = user.role === 'admin' ? 0 : await shop.limits.secondsToWait('photo', { address: page.clientAddress, account: user.id })
  const form = await readForm(request)
  if (seconds > 0) return answer(page, form, refused(tooMany(page, seconds).error), 429)
  const isRemoval = textOf(form, 'intent') === 'remove'
  const change = () => (isRemoval ? removePhoto(shop, user) : changePhoto(shop, user, form.get('file')))
  const done = await attempt(shop.log, 'a photo could not be changed', change)
  if (done.ok) return answer(page, form, { ok: true, toasts: [isRemoval ? 'Photo removed' : 'Photo saved'] })
  if (done.refusal === 'failed' || done.refusal === 'gone') return answer(page, form, refused(PHOTO_FAILED), 500)
  return answer(page, form, refused(shortPickTexts[done.refusal]), 422)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer(refused(PHOTO_FAILED)))

export const loader = () => redirect(href('/account'))
