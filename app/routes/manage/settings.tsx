import { data } from 'react-router'
import { LogoForm } from '#app/features/branding/logo-form.tsx'
import { MIN_LOGO_SIDE } from '#app/features/branding/logo.ts'
import {
  changeSettings,
  readPaymentSettings,
  readSettings,
} from '#app/features/settings/settings.server.ts'
import { settingFields } from '#app/features/settings/setting-groups.ts'
import { regionalChoices } from '#app/features/settings/regional-settings.server.ts'
import { SettingsFormSchema } from '#app/features/settings/setting-values.server.ts'
import { settingsTexts as texts } from '#app/features/settings/texts.ts'
import { SettingsPage } from '#app/features/settings/settings-page.tsx'
import { appContext, userContext } from '#app/services/context.ts'
import { validateForm, parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/settings'

export async function loader({ context }: Route.LoaderArgs) {
  const { db, defaultTimeZone } = context.get(appContext)
  return {
    settings: { ...(await readSettings(db)), ...(await readPaymentSettings(db)) },
    choices: regionalChoices(defaultTimeZone),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  // Browsers send every line break as \r\n, but the shop stores \n.
  const typedText = (key: string) => formText(form, key).replaceAll('\r\n', '\n')
  const typed = Object.fromEntries(settingFields.map(({ key }) => [key, typedText(key)]))
  const checked = validateForm(SettingsFormSchema, typed)
  if (!checked.ok) {
    const count = Object.keys(checked.errors).length
    return data(
      { ...checked, toasts: [count > 1 ? texts.errorCount(count) : checked.error], typed },
      { status: 422 },
    )
  }
  await changeSettings(context.get(appContext), context.get(userContext)!.id, checked.data)
  return data({ ok: true, toasts: [texts.saved] })
}

export const meta: Route.MetaFunction = () => [{ title: 'Settings' }]

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const answer = usePersistentActionData(actionData)
  return (
    <SettingsPage
      {...loaderData}
      answer={answer}
      logoForm={
        <LogoForm
          logo={loaderData.settings.logo}
          minSide={MIN_LOGO_SIDE}
        />
      }
    />
  )
}
