/** Shows the home page with texts that the owner has typed but not saved. The preview looks like a page for visitors, so it does not have the layout of the admin area. [OWN-16] */
import { data } from 'react-router'
import { HomePage } from '#app/features/home/home-page.tsx'
import { toHomeView } from '#app/features/home/home-texts.ts'
import { HomeTextsSchema } from '#app/features/home/home-texts.server.ts'
import { defaultHomeTexts } from '#app/features/home/owner-texts.ts'
import { readHome } from '#app/features/home/showcase.server.ts'
import { labelErrors } from '#app/features/admin/audit-log/field-labels.ts'
import { PreviewNotice, RefusedPreview } from '#app/features/settings/page-texts-form.tsx'
import { checkPageTexts } from '#app/features/settings/page-texts.server.ts'
import { pageTexts } from '#app/features/settings/page-texts.ts'
import { appContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { useShownTheme } from '#app/ui/layout/theme-toggle.tsx'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/home-preview'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [{ title: pageTexts.previewTitle }]
export const handle = { hasFooter: true }

export const loader = ({ context }: Route.LoaderArgs) => readHome(context.get(appContext), false)

export async function action({ request }: Route.ActionArgs) {
  const checked = checkPageTexts(await parseForm(request), defaultHomeTexts, HomeTextsSchema)
  return checked.ok
    ? { errors: null, texts: toHomeView(checked.data) }
    : data({ errors: labelErrors(checked.errors), texts: null }, { status: 422 })
}

export default function HomePreview({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { wallpapers, ...home } = loaderData
  const wallpaper = wallpapers[useShownTheme(matches[0].loaderData.theme)]
  const preview = usePersistentActionData(actionData)
  if (preview?.errors) return <RefusedPreview errors={preview.errors} />
  return (
    <>
      <PreviewNotice />
      <HomePage
        {...home}
        texts={preview?.texts ?? home.texts}
        isAll={false}
        category={null}
        wallpaper={wallpaper}
      />
    </>
  )
}
