import { href, redirect } from 'react-router'
import { downloadArchive } from '#app/features/leaving/archive.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/own-data'

/** S-224: all data of whoever asks, as one file. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, { id }] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  const seconds = await shop.limits.secondsToWait('export', { account: id, address: page.clientAddress })
  if (seconds > 0) {
    const { status, ...refused } = tooMany(page, seconds)
    return answer(page, form, refused, status)
  }
  return (await downloadArchive(shop, { id, isForOwner: false })) ?? redirect(href('/login'))
}

export const loader = () => redirect(href('/account'))
