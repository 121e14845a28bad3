import {
  listTestimonies,
  moderateTestimony,
} from '#app/features/testimonials/testimonies.server.ts'
import { moderations, type ModerationRefusal } from '#app/features/testimonials/testimony.ts'
import { moderationResults, moderationTexts } from '#app/features/testimonials/texts.ts'
import { ModerationPage } from '#app/features/testimonials/moderation-page.tsx'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#app/ui/action-result.ts'
import type { Route } from './+types/testimonials'

const statuses: Record<ModerationRefusal, number> = { gone: 404, changed: 409, blank: 422 }

export const loader = ({ request, context }: Route.LoaderArgs) =>
  listTestimonies(context.get(appContext).db, parsePageNumber(new URL(request.url).searchParams))

export async function action({ request, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const form = await parseForm(request)
  const act = moderations.find((known) => known === formText(form, 'intent'))
  if (!act) return respond(info, form, { ok: false }, 400)
  const refusal = await moderateTestimony(
    app,
    context.get(userContext)!.id,
    formText(form, 'id'),
    act,
  )
  if (refusal)
    return respond(
      info,
      form,
      { ok: false, toasts: [moderationResults[refusal]] },
      statuses[refusal],
    )
  return respond(info, form, { ok: true, toasts: [moderationResults[act]] })
}

/** A refused action means that the page is outdated, so its data are loaded again. */
export const shouldRevalidate = revalidateUnlessOffline

export const meta: Route.MetaFunction = () => [{ title: moderationTexts.title }]

export default function Testimonials({ loaderData, matches }: Route.ComponentProps) {
  return (
    <ModerationPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
