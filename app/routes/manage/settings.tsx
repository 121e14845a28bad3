import { LogoForm } from '#branding/logo-form.tsx'
import { MIN_LOGO_SIDE } from '#branding/logo.ts'
import { savePageTexts } from '#settings/page-texts.server.ts'
import { readPaymentSettings, readSettings } from '#settings/settings.server.ts'
import { regionalChoices } from '#settings/regional-settings.server.ts'
import { settingsForm, settingSections } from '#settings/setting-declarations.server.ts'
import { settingsTexts as texts } from '#settings/texts.ts'
import { SettingsPage } from '#settings/settings-page.tsx'
import { appContext } from '#services/context.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/settings'

export async function loader({ context }: Route.LoaderArgs) {
  const { db, defaultTimeZone } = context.get(appContext)
  return {
    settings: { ...(await readSettings(db)), ...(await readPaymentSettings(db)) },
    sections: settingSections,
    choices: regionalChoices(defaultTimeZone),
  }
}

export async function action(args: Route.ActionArgs) {
  const { app, user, form } = await readForm(args)
  return respond(await savePageTexts(app, user!.id, form, settingsForm, texts.saved))
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
