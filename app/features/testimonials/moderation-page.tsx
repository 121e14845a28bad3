import { Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { KnotMark } from '#ui/layout/knot-mark.tsx'
import { ActionForm, type FormState, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { formatDateTime } from '#ui/format-date-time.ts'
import css from './moderation-page.module.css'
import { isBlank, possibleModerations, moderationState } from './testimony.ts'
import { moderationLabels as labels, moderationStates, moderationTexts as texts } from './texts.ts'
import type { TestimonyList } from './testimonies.server.ts'
import { TestimonyItems } from './testimony-card.tsx'

export function ModerationPage({
  testimonies,
  waiting,
  shown,
  openTickets,
  page,
  pages,
}: TestimonyList) {
  // All cards share one form, because a card that moves in the list would lose its own form.
  const form = useActionForm()
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
          <p className="text-soft">
            {texts.toReview(waiting)} {texts.shown.before(shown)}
            <Link to="/testimonials/">{texts.shown.link}</Link>
            {texts.shown.after} {openTickets > 0 && texts.unusedTickets(openTickets)}{' '}
            {testimonies.some(({ isValidated }) => !isValidated) && texts.steps}
          </p>
          {(['waiting', 'seen'] as const).map((part) => {
            const entries = testimonies.filter((entry) => entry.isValidated === (part === 'seen'))
            return (
              entries.length > 0 && (
                <section
                  className={css.part}
                  aria-labelledby={part}
                  key={part}
                >
                  <h2 id={part}>{texts[part]}</h2>
                  <ul
                    role="list"
                    className="grid gap-4"
                  >
                    {entries.map((entry) => (
                      <TestimonyRow
                        key={entry.id}
                        entry={entry}
                        form={form}
                      />
                    ))}
                  </ul>
                </section>
              )
            )
          })}
          {pages > 1 && (
            <nav
              className="row justify-center"
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
              <span className="text-soft">{texts.page(page, pages)}</span>
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

type TestimonyRowProps = { entry: TestimonyList['testimonies'][number]; form: FormState }

function TestimonyRow({ entry, form }: TestimonyRowProps) {
  const timeZone = useShopTimeZone()
  const { id, writerName, writerEmail, writerPhotoURL, testimony, items, createdAt } = entry
  const isPending = form.isPending && form.formData?.get('id') === id
  const state = moderationState(entry)
  return (
    <li
      className={`card grid gap-4 ${css.voice}`}
      data-busy={isPending || undefined}
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
        <h3 className={`m-0 ${css.name}`}>
          <bdi>{writerName}</bdi>
        </h3>
        <p className="text-soft">
          {`${writerEmail} · `}
          <span className={css.date}>{formatDateTime(createdAt, timeZone)}</span>
        </p>
      </div>
      <p
        className={`text-sm font-semibold m-0 rounded-full ${css.state}`}
        data-state={state}
      >
        {moderationStates[state]}
      </p>
      <div className={css.text}>
        {isBlank(testimony) ? (
          <p className="text-soft">{texts.blank}</p>
        ) : (
          <blockquote dir="auto">{testimony}</blockquote>
        )}
        <TestimonyItems items={items} />
      </div>
      <ActionForm
        form={form}
        className={`row ${css.acts}`}
        fields={{ id }}
        aria-busy={isPending}
      >
        {possibleModerations(entry).map((act) => (
          <SubmitButton
            key={act}
            className={act === 'show' ? 'button' : 'button quiet'}
            name="intent"
            value={act}
            aria-label={texts.act(labels[act], writerName)}
            isPending={isPending}
          >
            {labels[act]}
          </SubmitButton>
        ))}
      </ActionForm>
    </li>
  )
}
