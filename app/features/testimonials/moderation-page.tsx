import { Link, useFetcher } from 'react-router'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import css from './moderation-page.module.css'
import { isBlank, possibleModerations, moderationState } from './testimony.ts'
import { moderationLabels as labels, moderationStates, moderationTexts as texts } from './texts.ts'
import type { TestimonyList } from './testimonies.server.ts'
import { TestimonyItems } from './testimony-card.tsx'

type Props = TestimonyList & { timeZone: string }

export function ModerationPage({
  testimonies,
  waiting,
  shown,
  openTickets,
  page,
  pages,
  timeZone,
}: Props) {
  // All testimony cards share this fetcher, because a card moves in the list after an action and would lose its own fetcher.
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const row = (entry: ModeratedTestimony) => (
    <TestimonyRow
      key={entry.id}
      entry={entry}
      timeZone={timeZone}
      fetcher={fetcher}
    />
  )
  const fresh = testimonies.filter(({ isValidated }) => !isValidated)
  const seen = testimonies.filter(({ isValidated }) => isValidated)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      {testimonies.length === 0 ? (
        <NoTestimonies openTickets={openTickets} />
      ) : (
        <>
          <p className="soft">
            {texts.toReview(waiting)} {texts.shown.before(shown)}
            <Link to="/testimonials/">{texts.shown.link}</Link>
            {texts.shown.after} {openTickets > 0 && texts.unusedTickets(openTickets)}{' '}
            {fresh.length > 0 && texts.steps}
          </p>
          {fresh.length > 0 && (
            <section
              className={css.part}
              aria-labelledby="waiting"
            >
              <h2 id="waiting">{texts.waiting}</h2>
              <ul
                role="list"
                className="stack"
              >
                {fresh.map(row)}
              </ul>
            </section>
          )}
          {seen.length > 0 && (
            <section
              className={css.part}
              aria-labelledby="seen"
            >
              <h2 id="seen">{texts.seen}</h2>
              <ul
                role="list"
                className="stack"
              >
                {seen.map(row)}
              </ul>
            </section>
          )}
          {pages > 1 && (
            <nav
              className="cluster centered"
              aria-label={texts.pages}
            >
              {page > 1 && (
                <Link
                  className="tap"
                  to={`?page=${page - 1}`}
                >
                  {texts.newer}
                </Link>
              )}
              <span className="soft">{texts.page(page, pages)}</span>
              {page < pages && (
                <Link
                  className="tap"
                  to={`?page=${page + 1}`}
                >
                  {texts.older}
                </Link>
              )}
            </nav>
          )}
        </>
      )}
    </main>
  )
}

function NoTestimonies({ openTickets }: { openTickets: number }) {
  return (
    <div className="empty">
      <KnotMark className={css.mark} />
      <p>
        {texts.empty} {openTickets === 0 ? texts.printTicket : texts.unusedTickets(openTickets)}
      </p>
      <Link
        className="button quiet"
        to="/manage/sales/"
      >
        {texts.toSales}
      </Link>
    </div>
  )
}

type ModeratedTestimony = TestimonyList['testimonies'][number]
type CardProps = {
  entry: ModeratedTestimony
  timeZone: string
  fetcher: ReturnType<typeof useFetcher<ActionResult>>
}

function TestimonyRow({ entry, timeZone, fetcher }: CardProps) {
  const { id, writerName, writerEmail, writerPhotoURL, testimony, items, writtenAt } = entry
  const isBusy = fetcher.state !== 'idle' && fetcher.formData?.get('id') === id
  const state = moderationState(entry)
  return (
    <li
      className={`card stack ${css.voice}`}
      data-busy={isBusy || undefined}
    >
      <img
        className="photo"
        src={writerPhotoURL}
        width={56}
        height={56}
        alt=""
        loading="lazy"
      />
      <div className={css.who}>
        <h3 className={`flush ${css.name}`}>
          <bdi>{writerName}</bdi>
        </h3>
        <p className="soft">
          {`${writerEmail} · `}
          <span className={css.date}>{formatDateTime(writtenAt, timeZone)}</span>
        </p>
      </div>
      <p
        className={`small strong flush round ${css.state}`}
        data-state={state}
      >
        {moderationStates[state]}
      </p>
      <div className={css.text}>
        {isBlank(testimony) ? (
          <p className="soft">{texts.blank}</p>
        ) : (
          <blockquote dir="auto">{testimony}</blockquote>
        )}
        <TestimonyItems items={items} />
      </div>
      <fetcher.Form
        method="post"
        className={`cluster ${css.acts}`}
      >
        <HiddenFields id={id} />
        {possibleModerations(entry).map((act) => (
          <button
            key={act}
            className={act === 'show' ? 'button' : 'button quiet'}
            name="intent"
            value={act}
            aria-label={texts.act(labels[act], writerName)}
            aria-disabled={isBusy}
          >
            {labels[act]}
          </button>
        ))}
      </fetcher.Form>
    </li>
  )
}
