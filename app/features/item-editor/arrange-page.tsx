import { useId, useState } from 'react'
import { Link } from 'react-router'
import { ActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { useReordering } from '#ui/reordering.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import type { Arrangement } from './arrange-items.server.ts'
import { arrangeTexts as texts } from './texts.ts'
import css from './arrange-page.module.css'

export function ArrangePage({ pieces, categories, categoryId, limit, isArranged }: Arrangement) {
  const list = useReordering(pieces)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <div className={`row ${css.top}`}>
        <CategoryLinks
          categories={categories}
          categoryId={categoryId}
        />
        {isArranged && (
          <ConfirmForm
            form={list.form}
            fields={{ intent: 'newest-first' }}
            className="button quiet"
            label={texts.newestFirst}
            question={texts.newestFirstQuestion}
          />
        )}
      </div>
      {limit && <p className="text-soft">{texts.isCut(limit)}</p>}
      {pieces.length === 0 && (
        <>
          <p className="text-soft">{texts.none}</p>
          <Link
            className="button"
            to="/manage/item/"
          >
            {texts.add}
          </Link>
        </>
      )}
      <SortableList
        className={`list-none grid gap-4 ${css.list}`}
        entryClassName={`card ${css.entry}`}
        label={texts.order}
        items={list.entries}
        onMove={list.move}
        render={({ id, name, image }, handle, index) => (
          <div className="flex items-center gap-3">
            {handle}
            {image === null ? (
              <span className="photo" />
            ) : (
              <img
                className="photo"
                src={image}
                alt=""
                loading="lazy"
                decoding="async"
              />
            )}
            <span className={`line-clamp-2 min-w-0 ${css.name}`}>{name}</span>
            <ActionForm
              form={list.form}
              className={css.move}
              fields={{ intent: 'move', id, category: categoryId }}
            >
              <PlaceField
                name={name}
                place={index + 1}
              />
            </ActionForm>
          </div>
        )}
      />
    </main>
  )
}

const CategoryLinks = ({
  categories,
  categoryId,
}: Pick<Arrangement, 'categories' | 'categoryId'>) => (
  <nav aria-label={texts.categories}>
    <ul
      role="list"
      className="choices"
    >
      {[{ id: null, title: texts.all }, ...categories].map(({ id, title }) => (
        <li key={id}>
          <Link
            to={id === null ? '?' : `?category=${encodeURIComponent(id)}`}
            aria-current={id === categoryId || undefined}
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

/** Owners who cannot drag type a place. Enter or leaving the field moves the item. */
function PlaceField({ name, place }: { name: string; place: number }) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const isRefused = typed !== null && typed === refused
  return (
    <>
      <input
        className={`input tabular-nums ${css.place}`}
        name="to"
        inputMode="numeric"
        autoComplete="off"
        required
        pattern="0*[1-9][0-9]{0,8}"
        title={texts.placeHint}
        aria-label={texts.place(name)}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? id : undefined}
        value={typed ?? String(place)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setTyped(null)}
        // The browser calls this when it refuses to send the form, and when `onBlur` checks the
        // field.
        onInvalid={(event) => {
          event.preventDefault()
          setRefused(typed)
        }}
        onBlur={(event) => {
          if (typed === null || !event.currentTarget.checkValidity()) return
          if (Number(typed) !== place) event.currentTarget.form?.requestSubmit()
          setTyped(null)
        }}
      />
      {isRefused && (
        <p
          className="error"
          id={id}
          role="alert"
        >
          {texts.placeHint}
        </p>
      )}
    </>
  )
}
