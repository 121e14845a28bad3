/** Shows the About page with texts that the owner has typed but not saved. The preview looks like a page for visitors, so it does not have the layout of the admin area. [OWN-16] */
import { data } from 'react-router'
import { AboutPage } from '#app/features/about/about-page.tsx'
import {
  AboutTextsSchema,
  readAboutCached,
  readSlidePictures,
  toAbout,
} from '#app/features/about/about.server.ts'
import { defaultAboutTexts } from '#app/features/about/owner-texts.ts'
import { labelErrors } from '#app/features/admin/audit-log/field-labels.ts'
import { PreviewNotice, RefusedPreview } from '#app/features/settings/page-texts-form.tsx'
import { checkPageTexts } from '#app/features/settings/page-texts.server.ts'
import { pageTexts } from '#app/features/settings/page-texts.ts'
import { appContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/about-preview'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]
export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex' })
export const meta: Route.MetaFunction = () => [{ title: pageTexts.previewTitle }]
export const handle = { hasFooter: true }

export const loader = ({ context }: Route.LoaderArgs) => readAboutCached(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const checked = checkPageTexts(await parseForm(request), defaultAboutTexts, AboutTextsSchema)
  if (!checked.ok)
    return data({ errors: labelErrors(checked.errors), about: null }, { status: 422 })
  return {
    errors: null,
    about: toAbout(checked.data, await readSlidePictures(context.get(appContext).db)),
  }
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
