import { data } from 'react-router'
import { AboutPage } from '#about/about-page.tsx'
import { aboutPageTexts, readAboutCached, readSlideImages, toAbout } from '#about/about.server.ts'
import { PreviewNotice, RefusedPreview } from '#settings/page-texts-form.tsx'
import { previewPageTexts } from '#settings/page-texts.server.ts'
import { pageTexts } from '#settings/texts.ts'
import { appContext } from '#services/context.ts'
import { parseForm } from '#lib/http/form-data.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/about-preview'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [{ title: pageTexts.previewTitle }]
export const handle = { hasFooter: true }

export const loader = ({ context }: Route.LoaderArgs) => readAboutCached(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const preview = previewPageTexts(await parseForm(request), aboutPageTexts)
  if (!preview.ok) return data({ errors: preview.errors, about: null }, { status: 422 })
  const images = await readSlideImages(context.get(appContext).db)
  return { errors: null, about: toAbout(preview.texts, images) }
}

export default function AboutPreview({ loaderData, actionData, matches }: Route.ComponentProps) {
  const preview = usePersistentActionData(actionData)
  if (preview?.errors) return <RefusedPreview errors={preview.errors} />
  return (
    <>
      <PreviewNotice />
      <AboutPage
        {...(preview?.about ?? loaderData)}
        ownerName={matches[0].loaderData.settings.ownerName}
      />
    </>
  )
}
