import { href, redirect } from 'react-router'
import { downloadBackup } from '#app/features/backups/backups.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/backup-file'

/** S-268: one backup as a file, after the owner's password. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const done = await downloadBackup({ shop, page, request }, context.get(userContext)!, form)
  return done instanceof Response ? done : answer(page, form, { ok: false, toasts: [done.error] }, done.status)
}

export const loader = () => redirect(href('/manage/backups'))
