import { data } from 'react-router'
import { changeSettings, defaultSettings, readSettings, SettingsSchema } from '#app/features/settings/settings.server.ts'
import { hasItemOnSale } from '#app/features/pricing/price-sql.server.ts'
import { SettingsPage } from '#app/features/settings/settings-page.tsx'
import { appContext, userContext } from '#app/services/context.ts'
import { validateForm, parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/settings'

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext)
  return { settings: await readSettings(db), hasDiscounts: await hasItemOnSale(db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const texts = Object.fromEntries(Object.keys(defaultSettings).map((key) => [key, formText(form, key)]))
  const typed = { ...texts, isPromoShown: form.has('isPromoShown') }
  const checked = validateForm(SettingsSchema, typed)
  if (!checked.ok) return data({ ok: false, field: checked.field, error: checked.error, toasts: [checked.error], typed }, { status: 422 })
  await changeSettings(context.get(appContext), context.get(userContext)!.id, checked.data)
  return data({ ok: true, toasts: ['Settings saved'] })
}

export const meta: Route.MetaFunction = () => [{ title: 'Settings' }]

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  return <SettingsPage {...loaderData} answer={usePersistentActionData(actionData)} />
}
