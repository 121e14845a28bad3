import { href, redirect } from 'react-router'
import { AddSalePage } from '#market-stall/add-sale-page.tsx'
import { handleSaleForm, readSaleForm } from '#market-stall/sale-form.server.ts'
import { addSaleTexts } from '#market-stall/texts.ts'
import { type AppServices, appContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { dayAndTime } from '#ui/format-date.ts'
import { readForm, respond, setFlash } from '#routes/action-response.server.ts'
import type { Route } from './+types/add-sale'

export const meta: Route.MetaFunction = () => [{ title: addSaleTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readSaleForm(context.get(appContext))

export async function action(args: Route.ActionArgs) {
  const { app, info, form } = await readForm(args)
  const outcome = await handleSaleForm(app, form)
  if (!outcome.answer.ok) return respond(outcome)
  setFlash(info, [addSaleTexts.added])
  throw redirect(`${href('/manage/sales')}?${monthQuery(formText(form, 'day'), app)}`)
}

/** The Sales page shows only the current year, so a day of another year has no month there. */
function monthQuery(day: string, { now, timeZone }: AppServices) {
  const [today] = dayAndTime(now(), timeZone)
  return day.slice(0, 4) === today.slice(0, 4) ? `month=${Number(day.slice(5, 7))}` : ''
}

export default function AddSale({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AddSalePage
      {...loaderData}
      actionData={actionData}
    />
  )
}
