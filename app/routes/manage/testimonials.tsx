import { listTestimonies, moderationActions } from '#testimonials/testimonies.server.ts'
import { moderationTexts } from '#testimonials/texts.ts'
import { ModerationPage } from '#testimonials/moderation-page.tsx'
import { appContext } from '#services/context.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#ui/action-result.ts'
import type { Route } from './+types/testimonials'

export const loader = ({ url, context }: Route.LoaderArgs) =>
  listTestimonies(context.get(appContext).db, parsePageNumber(url.searchParams))

export const action = ownerAction(moderationActions)

export const shouldRevalidate = revalidateUnlessOffline

export const meta: Route.MetaFunction = () => [{ title: moderationTexts.title }]

export default function Testimonials({ loaderData }: Route.ComponentProps) {
  return <ModerationPage {...loaderData} />
}
