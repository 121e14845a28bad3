import { listVoices, moderate } from '#app/features/testimonials/testimonies.server.ts'
import { moderations, moderationTexts, type ModerationRefusal } from '#app/features/testimonials/testimony.ts'
import { ModerationPage } from '#app/features/testimonials/moderation-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { answer } from '#app/routes/answer.server.ts'
import { readsAgain } from '#app/ui/answer.ts'
import type { Route } from './+types/testimonials'

const statuses: Record<ModerationRefusal, number> = { gone: 404, changed: 409, blank: 422 }

export const loader = ({ request, context }: Route.LoaderArgs) =>
  listVoices(context.get(shopContext).db, readPageNumber(new URL(request.url).searchParams))

export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const act = moderations.find((known) => known === textOf(form, 'intent'))
  if (!act) return answer(page, form, { ok: false }, 400)
  const refusal = await moderate(shop, context.get(userContext)!.id, textOf(form, 'id'), act)
  if (refusal) return answer(page, form, { ok: false, toasts: [moderationTexts[refusal]] }, statuses[refusal])
  return answer(page, form, { ok: true, toasts: [moderationTexts[act]] })
}

/** After a refusal too: it says that what is on the page is old. */
export const shouldRevalidate = readsAgain

export const meta: Route.MetaFunction = () => [{ title: 'Testimonials' }]

export default function Testimonials({ loaderData, matches }: Route.ComponentProps) {
  return <ModerationPage {...loaderData} timeZone={matches[0].loaderData.timeZone} />
}
