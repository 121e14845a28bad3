import { data, redirect } from 'react-router'
import { applyPlan } from '#app/features/csv-import/apply-table.server.ts'
import { checkTable } from '#app/features/csv-import/check-table.server.ts'
import { TablesPage } from '#app/features/csv-import/tables-page.tsx'
import { readTablesPage } from '#app/features/csv-import/tables-page.server.ts'
import { shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { readsAgain } from '#app/ui/answer.ts'
import type { Route } from './+types/tables'

export const meta: Route.MetaFunction = () => [{ title: 'Import and export' }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readTablesPage(context.get(shopContext), new URL(request.url).searchParams)

/** Both forms lead to the page of the check, where what was found or done stands: also without script, and after a reload. */
export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const refuse = (error: string, status: number, field?: string) =>
    data({ ok: false, error, ...(field ? { field } : { toasts: [error] }) }, { status })
  if (textOf(form, 'intent') === 'check') {
    const checked = await checkTable(shop, form.get('file'))
    return checked.ok ? redirect(`/manage/tables/?check=${checked.planId}`, 303) : refuse(checked.text, checked.status, 'file')
  }
  const id = textOf(form, 'check')
  const refused = await applyPlan(shop, context.get(userContext)?.id ?? '', id)
  return refused ? refuse(refused.text, refused.status) : redirect(`/manage/tables/?check=${id}`, 303)
}

/** A refused write, too, reads again what is stored. */
export const shouldRevalidate = readsAgain

export default function Tables({ loaderData, actionData }: Route.ComponentProps) {
  return <TablesPage {...loaderData} answer={useKeptAnswer(actionData)} />
}
