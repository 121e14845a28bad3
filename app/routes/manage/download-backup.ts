import { href, redirect } from 'react-router'
import { downloadBackup } from '#backups/backups.server.ts'
import { refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/download-backup'

export async function action(args: Route.ActionArgs) {
  const { auth, user, form, reply } = await readForm(args)
  const result = await downloadBackup(auth, user!, form)
  return result instanceof Response
    ? result
    : reply(refused(result.status, { toasts: [result.error] }))
}

export const loader = () => redirect(href('/manage/backups'))
