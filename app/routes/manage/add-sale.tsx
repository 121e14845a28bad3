import { data, href, redirect } from 'react-router'
import { AddSalePage } from '#app/features/market-stall/add-sale-page.tsx'
import { handleSaleForm, readSaleForm } from '#app/features/market-stall/sale-form.server.ts'
import { addSaleTexts } from '#app/features/market-stall/texts.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/add-sale'

export const meta: Route.MetaFunction = () => [{ title: addSaleTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readSaleForm(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const { answer, status } = await handleSaleForm(context.get(appContext), await parseForm(request))
  if (!answer.ok) return data(answer, { status })
  setFlash(context.get(requestInfoContext), [addSaleTexts.added])
  throw redirect(href('/manage/sales'))
}

export default function AddSale({ loaderData, actionData }: Route.ComponentProps) {
  const { values, ...page } = loaderData
  const answer = usePersistentActionData(actionData)
  return <AddSalePage {...page} values={answer?.values ?? values} answer={answer} />
}
