import { data, href, redirect } from 'react-router'
import { AddSalePage } from '#app/features/market-stall/add-sale-page.tsx'
import { handleSaleForm, readSaleForm } from '#app/features/market-stall/sale-form.server.ts'
import { addSaleTexts } from '#app/features/market-stall/texts.ts'
import { type AppServices, requestInfoContext, appContext } from '#app/services/context.ts'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { dayAndTime } from '#app/ui/format-date.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/add-sale'

export const meta: Route.MetaFunction = () => [{ title: addSaleTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readSaleForm(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const form = await parseForm(request)
  const { answer, status } = await handleSaleForm(app, form)
  if (!answer.ok) return data(answer, { status })
  setFlash(context.get(requestInfoContext), [addSaleTexts.added])
  throw redirect(
    `${href('/manage/sales')}?${new URLSearchParams(monthQuery(formText(form, 'day'), app))}`,
  )
}

/** Sales shows only the current year, so a sale of an earlier year leads to the current month. */
function monthQuery(day: string, { now, timeZone }: AppServices): Record<string, string> {
  const [today] = dayAndTime(now(), timeZone)
  return day.slice(0, 4) === today.slice(0, 4) ? { month: String(Number(day.slice(5, 7))) } : {}
}

export default function AddSale({ loaderData, actionData }: Route.ComponentProps) {
  const { values, ...page } = loaderData
  const answer = usePersistentActionData(actionData)
  return (
    <AddSalePage
      {...page}
      values={answer?.values ?? values}
      answer={answer}
    />
  )
}
