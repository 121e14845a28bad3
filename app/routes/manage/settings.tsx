import { data } from 'react-router'
import { changeSettings, defaultSettings, readSettings, SettingsInput } from '#app/features/settings/settings.server.ts'
import { SettingsPage } from '#app/features/settings/settings-page.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import { checkForm, readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import type { Route } from './+types/settings'

export const loader = async ({ context }: Route.LoaderArgs) => ({ settings: await readSettings(context.get(shopContext).db) })

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const texts = Object.fromEntries(Object.keys(defaultSettings).map((key) => [key, textOf(form, key)]))
  const typed = { ...texts, isPromoShown: form.has('isPromoShown') }
  const checked = checkForm(SettingsInput, typed)
  if (!checked.ok) return data({ ok: false, field: checked.field, error: checked.error, toasts: [checked.error], typed }, { status: 422 })
  await changeSettings(context.get(shopContext), context.get(userContext)!.id, checked.data)
  return data({ ok: true, toasts: ['Settings saved'] })
}

export const meta: Route.MetaFunction = () => [{ title: 'Settings' }]

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  return <SettingsPage settings={loaderData.settings} answer={useKeptAnswer(actionData)} />
}
