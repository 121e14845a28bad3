import { data } from 'react-router'
import { HomePage } from '#home/home-page.tsx'
import { homePageTexts, toHomeView } from '#home/home-declarations.server.ts'
import { readHome } from '#home/showcase.server.ts'
import { PreviewNotice, RefusedPreview } from '#settings/page-texts-form.tsx'
import { previewPageTexts } from '#settings/page-texts.server.ts'
import { pageTexts } from '#settings/texts.ts'
import { appContext } from '#services/context.ts'
import { parseForm } from '#lib/http/form-data.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { useShownTheme } from '#ui/layout/theme-toggle.tsx'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/home-preview'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [{ title: pageTexts.previewTitle }]
export const handle = { hasFooter: true }

export const loader = ({ context }: Route.LoaderArgs) => readHome(context.get(appContext), false)

export async function action({ request }: Route.ActionArgs) {
  const preview = previewPageTexts(await parseForm(request), homePageTexts)
  return preview.ok
    ? { errors: null, texts: toHomeView(preview.texts) }
    : data({ errors: preview.errors, texts: null }, { status: 422 })
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
